import { Secret, TOTP } from 'otpauth'
import type { Browser, Page } from 'playwright-core'
import { PNG } from 'pngjs'
import { decodeQR } from 'qr/decode.js'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { findProblems } from './axe.ts'
import { closeWindows, openWindow, sharedBrowser } from './browser.ts'
import { startPrepared } from './start-prepared.ts'
import type { RunningProduct } from './product.ts'
import { changeLook, wordsOf } from './user-window.ts'

// Somebody turns two-step sign-in on, signs in with it, loses the phone, and is helped; somebody whose role
// needs it is stopped at sign-in.

const PASSWORD = 'sheetcast-demo'
const STEP_MS = 30_000

let product: RunningProduct
let browser: Browser

beforeAll(async () => {
  ;[product, browser] = await Promise.all([
    startPrepared({ SECOND_FACTOR_ROLES: 'director' }),
    sharedBrowser(),
  ])
})
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return
  for (const page of browser.contexts().flatMap(context => context.pages()))
    console.error(page.url(), await page.locator('body').ariaSnapshot())
})
afterAll(async () => {
  await closeWindows(browser)
  await product?.stop()
})

async function openPage(path: string): Promise<Page> {
  const context = await openWindow(browser, {
    viewport: { width: 1280, height: 800 },
    colorScheme: 'light',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const page = await context.newPage()
  await page.goto(product.origin + path)
  return page
}

async function enterPassword(page: Page, username: string) {
  const { sign_in } = wordsOf('en')
  await page.getByLabel(sign_in.username).fill(username)
  await page.getByLabel(sign_in.password, { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: sign_in.submit, exact: true }).click()
}

/** The code that the app shows; the next one is valid already, since clocks may differ by one step. */
const codeOf = (secret: string, { next = false } = {}) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: Date.now() + (next ? STEP_MS : 0),
  })

/** What breaks WCAG in both themes, wide and narrow. `LONG`: only in the long form. */
async function problemsOf(page: Page, name: string, when: 'always' | 'LONG' = 'always'): Promise<string[]> {
  const found: string[] = []
  if (when === 'LONG' && !process.env['LONG']) return found
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  for (const look of [
    { colorScheme: 'light', width: 1280 },
    { colorScheme: 'dark', width: 360 },
  ] as const) {
    await changeLook(page, look)
    const where = `${name} ${look.colorScheme} ${look.width}`
    found.push(...(await findProblems(page, where)))
  }
  await changeLook(page, { colorScheme: 'light', width: 1280 })
  return found
}

const keyOn = async (page: Page) => ((await page.locator('code').textContent()) ?? '').replaceAll(' ', '')
const recoveryCodesOn = (page: Page) =>
  page
    .locator('ol li')
    .filter({ hasText: /-.{4}-/ })
    .allTextContents()

it('is turned on, required, bypassed with a recovery code once, and reset by a superuser', async () => {
  const { code_step, second_factor, sign_in, users } = wordsOf('en')
  const problems: string[] = []
  const page = await openPage('/sign-in?redirect=/profile')
  await enterPassword(page, 'staff')
  await page.waitForURL(/\/profile/)

  await page.getByRole('button', { name: second_factor.set_up }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(second_factor.password, { exact: true }).fill('not the password')
  await dialog.getByRole('button', { name: second_factor.continue }).click()
  await dialog.getByText('The current password is incorrect.').waitFor()
  await dialog.getByLabel(second_factor.password, { exact: true }).fill(PASSWORD)
  await dialog.getByRole('button', { name: second_factor.continue }).click()
  await dialog.getByRole('img', { name: second_factor.qr }).waitFor()
  problems.push(...(await problemsOf(page, 'the app')))
  const secret = await keyOn(page)
  const picture = PNG.sync.read(await dialog.getByRole('img', { name: second_factor.qr }).screenshot())
  const uri = new URL(decodeQR(picture))
  expect(uri.pathname).toBe('/Sheetcast:staff')
  expect(Object.fromEntries(uri.searchParams)).toEqual({
    issuer: 'Sheetcast',
    secret,
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  })
  expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  const first = dialog.getByLabel(second_factor.first_code)
  await first.fill('000000')
  await dialog.getByRole('button', { name: second_factor.turn_on }).click()
  await dialog.getByText('This code is incorrect or has already been used.').waitFor()
  // As apps copy it.
  await first.fill(codeOf(secret).replace(/^.../, '$& '))
  await dialog.getByRole('button', { name: second_factor.turn_on }).click()
  await dialog.getByText(second_factor.codes_title).waitFor()
  problems.push(...(await problemsOf(page, 'the codes')))
  const recoveryCodes = await recoveryCodesOn(page)
  expect(recoveryCodes).toHaveLength(10)
  await dialog.getByRole('button', { name: second_factor.codes_copy }).click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(recoveryCodes.join('\n'))
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: second_factor.codes_download }).click(),
  ])
  expect(download.suggestedFilename()).toBe('sheetcast-recovery-codes.txt')
  await dialog.getByRole('button', { name: second_factor.codes_done }).click()
  await page.getByText('Unused recovery codes: 10').waitFor()
  problems.push(...(await problemsOf(page, 'the profile', 'LONG')))

  const elsewhere = await openPage('/sign-in?redirect=/profile')
  await enterPassword(elsewhere, 'staff')
  const code = elsewhere.getByLabel(code_step.code, { exact: true })
  await code.waitFor()
  await expect.poll(() => code.evaluate(input => input === document.activeElement)).toBe(true)
  await expect.poll(() => code.getAttribute('autocomplete')).toBe('one-time-code')
  await expect.poll(() => code.getAttribute('inputmode')).toBe('numeric')
  problems.push(...(await problemsOf(elsewhere, 'the second step')))
  const submit = elsewhere.getByRole('button', { name: sign_in.submit, exact: true })
  await submit.click()
  await elsewhere.getByText(code_step.code_required).waitFor()
  await code.fill('000000')
  await submit.click()
  await elsewhere.getByText(code_step.code_wrong).waitFor()
  await code.fill(codeOf(secret, { next: true }))
  await submit.click()
  await elsewhere.waitForURL(/\/profile/)

  const withoutPhone = await openPage('/sign-in?redirect=/profile')
  const useRecovery = async (text: string) => {
    await enterPassword(withoutPhone, 'staff')
    await withoutPhone.getByRole('button', { name: code_step.use_recovery_code }).click()
    await withoutPhone.getByLabel(code_step.recovery_code, { exact: true }).fill(text)
    await withoutPhone.getByRole('button', { name: sign_in.submit, exact: true }).click()
  }
  const [used = ''] = recoveryCodes
  await useRecovery(used)
  await withoutPhone.getByText('Unused recovery codes: 9').waitFor()
  await withoutPhone.context().clearCookies()
  await withoutPhone.goto(`${product.origin}/sign-in?redirect=/profile`)
  await useRecovery(used)
  await withoutPhone.getByText(code_step.recovery_wrong).waitFor()
  problems.push(...(await problemsOf(withoutPhone, 'a recovery code', 'LONG')))

  const keeper = await openPage('/sign-in?redirect=/setting/users')
  await enterPassword(keeper, 'superuser')
  const row = keeper.getByRole('row').filter({ has: keeper.getByText('staff', { exact: true }) })
  await row.getByText(users.second_factor).filter({ visible: true }).waitFor()
  await row.getByRole('button', { name: /^Actions for/ }).click()
  await keeper.getByRole('menuitem', { name: users.action.reset }).click()
  await keeper.getByRole('dialog').getByText(users.reset.detail).waitFor()
  problems.push(...(await problemsOf(keeper, 'the reset', 'LONG')))
  await keeper.getByRole('dialog').getByRole('button', { name: users.action.reset }).click()
  await row.getByText(users.second_factor).filter({ visible: true }).waitFor({ state: 'detached' })
  // The password alone is enough again.
  const again = await openPage('/sign-in?redirect=/profile')
  await enterPassword(again, 'staff')
  await again.getByRole('button', { name: second_factor.set_up }).waitFor()

  expect(problems).toEqual([])
  for (const each of [page, elsewhere, withoutPhone, keeper, again]) await each.context().close()
})

it('blocks everything else for people whose role needs it, and then continues to the requested page', async () => {
  const { second_factor } = wordsOf('zh-TW')
  const problems: string[] = []
  const page = await openPage('/sign-in?redirect=/setting/users')
  await enterPassword(page, 'director')
  await page.waitForURL(/\/second-factor\?redirect=/)
  await page.goto(`${product.origin}/gs-template`)
  await page.waitForURL(/\/second-factor\?redirect=/)
  problems.push(...(await problemsOf(page, 'the duty')))
  await page.getByRole('button', { name: wordsOf('en').app.header.language }).click()
  await page.getByText('繁體中文').click()
  await page.getByText(second_factor.duty_title).first().waitFor()
  await page.getByLabel(second_factor.password, { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: second_factor.continue }).click()
  await page.getByRole('img', { name: second_factor.qr }).waitFor()
  problems.push(...(await problemsOf(page, 'the duty, the app', 'LONG')))
  await page.getByLabel(second_factor.first_code).fill(codeOf(await keyOn(page)))
  await page.getByRole('button', { name: second_factor.turn_on }).click()
  await page.getByText(second_factor.codes_title).waitFor()
  expect(await recoveryCodesOn(page)).toHaveLength(10)
  problems.push(...(await problemsOf(page, 'the duty, the codes', 'LONG')))
  await page.getByRole('button', { name: second_factor.codes_done }).click()
  await page.waitForURL(/\/gs-template/)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.goto(`${product.origin}/profile`)
  await page.getByText('Your role requires it, so it cannot be turned off.').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Turn off' }).count()).toBe(0)
  expect(problems).toEqual([])
  await page.context().close()
})
