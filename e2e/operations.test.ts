import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openWindow } from './browser.ts'
import { start } from './test-product.ts'

const started = start()
let page: Page

async function signedIn(name: string) {
  const context = await openWindow(started.browser, {
    viewport: { width: 1440, height: 1000 },
  })
  page = await context.newPage()
  await page.goto(`${started.product.origin}/sign-in`)
  await page.getByText(name).click()
  await page.getByRole('navigation', { name: 'Main navigation' }).waitFor()
}

describe("the operator's page", () => {
  it('shows what waits, what has failed and what is scheduled, in both languages', async () => {
    await signedIn('Sasha Lin')
    await page
      .getByRole('navigation', { name: 'Main navigation' })
      .getByRole('link', { name: 'Operations' })
      .click()
    await page.getByRole('heading', { name: 'Operations', level: 1 }).waitFor()
    // One report of the demo fails on purpose; others are due tomorrow morning.
    const failures = page.getByRole('table', { name: 'Failures in the last 24 hours' })
    await failures.getByRole('row').nth(1).waitFor()
    const coming = page.getByRole('table', { name: 'Due in the next 24 hours' })
    await expect.poll(() => coming.getByRole('row').count()).toBeGreaterThan(1)
    await page
      .getByText('No quota is delaying runs')
      .or(page.getByRole('table', { name: 'Quotas' }))
      .waitFor()
    const systemUsers = page.getByRole('table', { name: 'System users' })
    await systemUsers
      .getByRole('row', { name: 'sheetcast@sheetcast-sandbox.iam.gserviceaccount.com' })
      .waitFor()

    await page.getByRole('button', { name: 'Language' }).click()
    await page.getByRole('menuitemradio', { name: '繁體中文' }).click()
    await page.getByRole('heading', { name: '運作狀況', level: 1 }).waitFor()
    await page.getByRole('table', { name: '最近 24 小時的失敗' }).waitFor()
    await page.getByRole('table', { name: '系統帳號' }).waitFor()
  })

  it('does not exist for anybody else', async () => {
    await signedIn('Dana Wu')
    await expect.poll(() => page.getByRole('link', { name: 'Operations' }).count()).toBe(0)
    await page.goto(`${started.product.origin}/setting/operations`)
    await page.getByRole('heading', { name: 'This page does not exist' }).waitFor()
  })
})
