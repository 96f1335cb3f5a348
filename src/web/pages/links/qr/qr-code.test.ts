import { describe, expect, it } from 'vitest'
import { pngLayout, QUIET_ZONE, qrCodeOf } from './qr-code.ts'

const AUTUMN =
  'https://shop.aurora.demo/autumn?ref=hp&utm_source=facebook&utm_medium=paid_social&utm_campaign=autumn_2026&utm_id=AU-2026-11#top'

describe('the QR code of a link', () => {
  const code = qrCodeOf(AUTUMN)

  it('is of version 8, 57 modules wide with its quiet zone', () => {
    expect(code).toMatchObject({ version: 8, size: 57 })
    expect(code.modules.map(row => row.length)).toEqual(Array.from({ length: 57 }, () => 57))
  })

  it('has four white modules on each side', () => {
    const black = code.modules.flatMap((row, y) => row.flatMap((isBlack, x) => (isBlack ? [{ x, y }] : [])))
    const across = black.map(({ x }) => x)
    const down = black.map(({ y }) => y)
    expect([Math.min(...across), Math.max(...across)]).toEqual([QUIET_ZONE, 56 - QUIET_ZONE])
    expect([Math.min(...down), Math.max(...down)]).toEqual([QUIET_ZONE, 56 - QUIET_ZONE])
  })

  it('is black on white as a drawing, whatever is behind it', () => {
    expect(code.svg).toMatch(
      /^<svg [^>]*viewBox="0 0 57 57"[^>]*><rect width="57" height="57" fill="#fff"\/>/,
    )
  })

  it('is 23 mm wide in print at least', () => {
    expect(code.least_mm).toBe(23)
  })

  it('grows with the link', () => {
    expect(qrCodeOf('https://aurora.demo/').size).toBeLessThan(57)
    expect(qrCodeOf(AUTUMN.padEnd(2048, 'x')).size).toBeGreaterThan(150)
  })
})

describe('its image', () => {
  it('has modules of whole pixels in the middle of 1,024', () => {
    expect(pngLayout(57)).toEqual({ scale: 17, margin: 27 })
    expect(pngLayout(185)).toEqual({ scale: 5, margin: 49 })
  })
})
