import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createVault } from '#server/vault.ts'
import { createSignedLinks, type LinkTarget } from './signed-links.ts'

const key = randomBytes(32)
const links = createSignedLinks(createVault([key]))
const image: LinkTarget = { kind: 'image', id: 7, size: '320' }
const at = (time: string) => new Date(`2026-11-02T${time}Z`)
const signed = links.sign(image, at('09:00:01'))

describe('a signed link', () => {
  it('is good for 15 to 20 minutes, and the same one within a step of five', () => {
    const expires = at('09:20:00')
    for (const time of ['09:00:00.001', '09:02:30', '09:05:00'])
      expect(links.sign(image, at(time))).toEqual({ ...signed, expires: expires.getTime() / 1000 })
    expect(links.sign(image, at('09:00:00')).expires * 1000).toBe(at('09:15:00').getTime())
    expect(links.sign(image, at('09:05:00.001')).expires * 1000).toBe(at('09:25:00').getTime())
    expect(links.verify(image, signed, at('09:19:59.999'))).toEqual(expires)
    expect(links.verify(image, signed, expires)).toBeNull()
  })

  it('leads nowhere else, and no longer than it says', () => {
    const now = at('09:01:00')
    for (const other of [{ kind: 'file' }, { id: 8 }, { size: '1280' }, { size: 'original' }] as const)
      expect(links.verify({ ...image, ...other }, signed, now)).toBeNull()
    for (const expires of [signed.expires + 300, signed.expires + 0.5, Number.NaN, Infinity])
      expect(links.verify(image, { ...signed, expires }, now)).toBeNull()
  })

  it('is refused with any other signature, whatever its length', () => {
    const now = at('09:01:00')
    const flipped = signed.signature.replace(/^./, first => (first === 'A' ? 'B' : 'A'))
    for (const signature of ['', 'x', flipped, signed.signature.slice(1), `${signed.signature}AAAA`, '漢字'])
      expect(links.verify(image, { ...signed, signature }, now)).toBeNull()
  })

  it('is good in every process with the same key, and no longer after a rotation', () => {
    const now = at('09:01:00')
    expect(createSignedLinks(createVault([key])).verify(image, signed, now)).not.toBeNull()
    const rotated = createSignedLinks(createVault([randomBytes(32), key]))
    expect(rotated.verify(image, signed, now)).toBeNull()
    expect(rotated.verify(image, rotated.sign(image, now), now)).not.toBeNull()
  })
})
