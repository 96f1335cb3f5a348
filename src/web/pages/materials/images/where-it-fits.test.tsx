// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Image } from '#shared/api/materials.ts'
import type { Language } from '#shared/language.ts'
import { switchLanguage } from '#web/i18n/i18n.ts'
import { imageOf } from '#web/pages/materials/testing/samples.ts'
import { drawFor } from '#web/testing/draw-for.tsx'
import { changesIn, serve } from '#web/testing/fake-server.ts'
import { WhereItFits } from './where-it-fits.tsx'

async function drawn(facts: Partial<Image> = {}, language: Language = 'en') {
  await switchLanguage(language)
  onTestFinished(async () => switchLanguage('en'))
  const copies: Image[] = []
  drawFor(<WhereItFits image={imageOf(facts)} onBroken={() => {}} onCopied={copy => copies.push(copy)} />)
  return copies
}

/** What the format says, as the reader sees it. */
const verdictOf = (name: string) =>
  screen
    .getAllByRole('listitem')
    .find(item => item.textContent?.startsWith(name))
    ?.querySelector('div > small')?.textContent

describe('where an image fits', () => {
  it('is said in English', async () => {
    await drawn()
    expect(screen.getByText(/^Fits 1 of 12/).parentElement?.textContent).toBe(
      'Fits 1 of 12 formats.Nearest miss: LINE card – 1 px short in height.',
    )
    expect(verdictOf('Google landscape')).toBe('Fits, 0.2% off 1.91:1')
    expect(verdictOf('Google square')).toBe('not 1:1')
    expect(verdictOf('LINE card')).toBe('1 px short in height')
    expect(verdictOf('LINE square')).toBe('120 px too wide, 453 px short in height')
    expect(verdictOf('Meta square')).toBe('120 px too wide, 453 px short in height')
    expect(screen.getAllByText('recommendation')).toHaveLength(5)
  })

  it('is said in Chinese', async () => {
    await drawn({}, 'zh-TW')
    expect(screen.getByText(/^符合 12 項/).parentElement?.textContent).toBe(
      '符合 12 項規格中的 1 項。最接近的規格：LINE 卡片（高度少 1 px）。',
    )
    expect(verdictOf('Google 橫式')).toBe('符合，與 1.91:1 相差 0.2%')
    expect(verdictOf('LINE 方形')).toBe('寬度多 120 px，高度少 453 px')
  })

  it('names no format that it is far from', async () => {
    await drawn({ width: 1200, height: 628 })
    expect(screen.getByText('Fits 3 of 12 formats.').parentElement?.textContent).toBe('Fits 3 of 12 formats.')
  })

  it.each<[Partial<Image>, string, string]>([
    [{ width: 1200, height: 628 }, 'LINE card', 'Fits'],
    [{ width: 1200, height: 628, mime: 'image/webp' }, 'LINE card', 'only JPEG or PNG'],
    [{ width: 1203, height: 628 }, 'LINE card', '3 px too wide'],
    [{ width: 2400, height: 1256 }, 'LINE card', 'larger than 1200×628'],
    [{ width: 2400, height: 628, mime: 'image/gif' }, 'LINE card', 'larger than 1200×628, only JPEG or PNG'],
    [{ width: 1090, height: 1000 }, 'Google square', '9% too wide for 1:1'],
    [{ width: 950, height: 1000 }, 'Google square', '5% too tall for 1:1'],
    [{ width: 500, height: 500, size: 6_000_000 }, 'Google square', '739 kB over the limit of 5 MB'],
    [
      { width: 240, height: 240, mime: 'image/gif' },
      'LINE small',
      '360 px short in width, 160 px short in height, only JPEG or PNG',
    ],
  ])('is worded for %o and %s', async (facts, format, words) => {
    await drawn(facts)
    expect(verdictOf(format)).toBe(words)
  })

  it.each<[Partial<Image>, string, string]>([
    [{ width: 1200, height: 628, mime: 'image/webp' }, 'LINE 卡片', '僅接受 JPEG 或 PNG'],
    [{ width: 1203, height: 628 }, 'LINE 卡片', '寬度多 3 px'],
    [{ width: 1090, height: 1000 }, 'Google 方形', '比 1:1 寬 9%'],
    [{ width: 500, height: 500, size: 6_000_000 }, 'Google 方形', '超過 5 MB 上限 739 kB'],
  ])('is worded in Chinese for %o and %s', async (facts, format, words) => {
    await drawn(facts, 'zh-TW')
    expect(verdictOf(format)).toBe(words)
  })
})

describe('making it fit', () => {
  it('is offered where nothing has to be enlarged', async () => {
    await drawn({ width: 1200, height: 1200 })
    const names = screen.getAllByRole('button').map(button => button.getAttribute('aria-label'))
    expect(names).toContain('Make it fit LINE card')
    expect(names).not.toContain('Make it fit Google square')
    expect(names).not.toContain('Make it fit Meta story')
  })

  it('shows what is cut off before the copy is made', async () => {
    const calls = serve({ 'POST /api/image/5/fit/': imageOf({ id: 9, name: 'banner 1200×628.png' }) })
    const copies = await drawn({ width: 2400, height: 2000 })
    await userEvent.click(screen.getByRole('button', { name: 'Make it fit LINE card' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Make it fit LINE card' }))
    expect(dialog.getByText(/px of the height/).textContent).toBe(
      '744 px of the height are cut off, evenly top and bottom. The rest is scaled down to 1200×628.',
    )
    const part = screen.getByRole('dialog').querySelector('img')?.nextElementSibling
    expect(part?.getAttribute('style')).toMatch(/top: 18.6%; width: 100%; height: 62.8%/)
    await userEvent.click(dialog.getByRole('button', { name: 'Create image' }))
    await expect.poll(() => copies.map(({ id }) => id)).toEqual([9])
    expect(changesIn(calls).map(({ body }) => body)).toEqual([{ format: 'line_card' }])
  })

  it('says that a copy does not move where the platform takes nothing that does', async () => {
    await drawn({ width: 2400, height: 2000, mime: 'image/gif', is_animated: true })
    await userEvent.click(screen.getByRole('button', { name: 'Make it fit LINE card' }))
    expect((await screen.findByText(/does not move/)).isConnected).toBe(true)
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
    await userEvent.click(screen.getByRole('button', { name: 'Make it fit Google square' }))
    expect((await screen.findByText(/px of the width/)).textContent).not.toMatch(/does not move/)
  })
})
