import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { start } from './test-product.ts'
import { enter, openPage } from './user-window.ts'

const started = start()

describe('the audit trail', () => {
  it('shows old and new values, and is filtered by person and object with a click', async () => {
    const { product } = started
    const { page, context } = await enter(started, { language: 'en', colorScheme: 'light', width: 1280 })
    await changeSomebody(page, product.origin)
    await openPage(page, `${product.origin}/setting/audit`)
    const table = page.getByRole('table', { name: 'Audit trail' })
    const row = table
      .getByRole('row')
      .filter({ hasText: 'Account changed' })
      .filter({ hasText: 'Position' })
      .first()
    await row.getByText('Position: none → Head of trails').waitFor()
    await row.getByText('Theme: Dark → Light').waitFor()

    await row.getByRole('button', { name: /^Only entries about/ }).click()
    await page.getByText('About Sasha Lin', { exact: true }).waitFor()
    expect(new URL(page.url()).searchParams.get('object')).toBe('user')
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByRole('combobox', { name: 'Action' }).click()
    await page.getByRole('option', { name: 'Account changed' }).click()
    await page.waitForURL(/action=user\.change/)
    await table.getByText('Account changed').first().waitFor()
    // The lines of the previous filter are shown until the response is there.
    await table.getByText('Signed in', { exact: true }).first().waitFor({ state: 'detached' })
    await context.close()
  })

  it('fits a phone, in Chinese and in the dark theme', async () => {
    const { page, context } = await enter(started, { language: 'zh-TW', colorScheme: 'dark', width: 360 })
    await openPage(page, `${started.product.origin}/setting/audit`)
    await page.getByRole('table', { name: '稽核紀錄' }).getByText('登入', { exact: true }).first().waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
    await context.close()
  })

  it('does not exist for anybody else', async () => {
    const { page, context } = await enter(
      started,
      { language: 'en', colorScheme: 'light', width: 1280 },
      'manager',
    )
    await page.goto(`${started.product.origin}/setting/audit`)
    await page.getByRole('heading', { name: 'This page does not exist' }).waitFor()
    await context.close()
  })
})

/** Changes the position and the theme of the signed-in person. */
async function changeSomebody(page: Page, origin: string) {
  const { request } = page.context()
  const signed = await request.post(`${origin}/api/token/`, {
    data: { username: 'superuser', password: 'sheetcast-demo' },
  })
  const { access, user_id } = (await signed.json()) as { access: string; user_id: number }
  const headers = { authorization: `Bearer ${access}` }
  const edits = [
    { position: '', theme: 'dark' },
    { position: 'Head of trails', theme: 'light' },
  ]
  for (const data of edits) await request.patch(`${origin}/users/${user_id}/`, { headers, data })
}
