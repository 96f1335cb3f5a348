import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { drawn } from '#server/testing/random.ts'
import { filled } from './audience-page.ts'
import { expectUsable } from './axe.ts'
import { callerOf, signInAs, start } from './test-product.ts'
import { wordsOf } from './user-window.ts'

const started = start()

const picture = async (width: number, height: number, background: string) =>
  await sharp({ create: { width, height, channels: 3, background } })
    .jpeg()
    .toBuffer()

// An account manager uploads what a campaign is made of, and sees which platforms take it.

describe.each(drawn(['en', 'zh-TW'] as const, 2, 'materials'))('images and files, in %s', language => {
  const { images: t, materials, app } = wordsOf(language)
  const name = `card ${language}.jpg`
  const color = language === 'en' ? '#123456' : '#654321'
  let page: Page

  const dialog = () => page.getByRole('dialog')
  const upload = async (...files: { name: string; mimeType: string; buffer: Buffer }[]) => {
    await page.getByLabel(materials.upload.choose_image, { exact: true }).setInputFiles(files)
    await dialog().getByRole('combobox', { name: materials.field.owner, exact: true }).click()
    await page.getByRole('option', { name: 'Aurora Cosmetics', exact: true }).click()
    await dialog().locator('button[type=submit]').click()
  }

  beforeAll(async () => {
    page = await signInAs(started, 'staff', language)
    await page.getByRole('link', { name: app.nav.images, exact: true }).click()
    await page.getByRole('heading', { level: 1, name: t.title }).waitFor()
  })

  it('shows each image small, by links that expire', async () => {
    const small = page.locator('main img').first()
    await small.waitFor()
    await expect
      .poll(() => small.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0)
    await expectUsable(page, 'the list of images', language)
  })

  it('takes an image, once, and refuses what is none', async () => {
    const card = { name, mimeType: 'image/jpeg', buffer: await picture(1200, 627, color) }
    const cut = { name: 'cut.jpg', mimeType: 'image/jpeg', buffer: card.buffer.subarray(0, 900) }
    await upload(card, cut)
    const tray = page.getByRole('region', { name: materials.tray.label })
    await tray.getByText(materials.tray.done, { exact: false }).first().waitFor()
    await expect.poll(() => tray.innerText()).toContain('cut.jpg')
    await page
      .getByRole('button', { name: new RegExp(name) })
      .first()
      .waitFor()
    const staff = await callerOf(started, 'staff')
    const { body } = await staff('GET', `/api/image/?search=${encodeURIComponent(name)}`)
    expect(body.results).toMatchObject([{ width: 1200, height: 627, formats: ['google_landscape'] }])
    expect((await staff('GET', '/api/image/?search=cut')).body.count).toBe(0)
  })

  it('says where an image fits, and how little is missing elsewhere', async () => {
    await page
      .getByRole('button', { name: new RegExp(name) })
      .first()
      .click()
    await dialog()
      .getByText(filled(t.miss.height, { count: 1 }))
      .first()
      .waitFor()
    await expectUsable(page, 'an image', language)
    await page.keyboard.press('Escape')
  })

  it('gives files as they are, to whoever has a link of today', async () => {
    const staff = await callerOf(started, 'staff')
    const { body } = await staff('GET', '/api/file/?search=Brand')
    const [{ url }] = body.results
    const origin = started.product.origin
    const response = await fetch(origin + url, { headers: { range: 'bytes=0-4' } })
    expect([response.status, await response.text()]).toEqual([206, '%PDF-'])
    expect(response.headers.get('content-disposition')).toMatch(/^attachment/)
    expect((await fetch(origin + url.replace(/signature=../, 'signature=xx'))).status).toBe(404)
  })
})
