import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { findProblems } from './axe.ts'
import { closeWindows, openWindow, sharedBrowser } from './browser.ts'
import { control } from './product.ts'
import { startPrepared } from './start-prepared.ts'
import type { RunningProduct } from './product.ts'
import { untilFirstRunsEnded } from './test-product.ts'

// A report breaks while its owner, who reads Chinese, looks at another page; then it is fixed.

const REPORT = 'Delta Fitness 每日成效'
const FAILED = `報表「${REPORT}」未能更新`
const RECOVERED = `報表「${REPORT}」已恢復更新`

let product: RunningProduct
let browser: Browser
let context: BrowserContext
let page: Page
/** Somebody else, who runs the report. */
let superuser: ReturnType<typeof api>
let owner: ReturnType<typeof api>

beforeAll(async () => {
  ;[product, browser] = await Promise.all([startPrepared({ MAIL_GROUP_SECONDS: '1' }), sharedBrowser()])
  superuser = api(await tokenOf('superuser'))
  owner = api(await tokenOf('staff'))
  await owner('PATCH', `/users/${(await owner('GET', '/users/identity/')).user_id}/`, { language: 'zh-TW' })
  await untilFirstRunsEnded({ product })
  // The demo's orders have notified their owners already.
  await owner('POST', '/api/notifications/read/', { all: true })
  context = await openWindow(browser, { viewport: { width: 1280, height: 900 } })
  page = await context.newPage()
})
// The text of the page says more than a locator that was not found.
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') console.error(page.url(), await page.locator('body').ariaSnapshot())
})
afterAll(async () => {
  await closeWindows(browser)
  await product?.stop()
})

const tokenOf = async (username: string) => {
  const response = await fetch(`${product.origin}/api/token/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: 'sheetcast-demo' }),
  })
  return Object(await response.json()).access as string
}
const api = (token: string) => async (method: string, path: string, body?: object) => {
  const response = await fetch(product.origin + path, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  return Object(await response.json())
}
const setFaults = (faults: object[]) => control(product, 'faults', { body: faults })

/** Runs the report to its end, in somebody else's name. */
async function runReport() {
  const search = encodeURIComponent(REPORT)
  const { results } = await superuser('GET', `/api/gs-template-setting/?scope=all&search=${search}`)
  const { id } = await superuser('POST', '/api/gs-template-execution/', { reports: [results[0].id] })
  const read = () => superuser('GET', `/api/gs-template-execution/${id}/`)
  await expect.poll(async () => (await read()).pending).toBe(0)
  return (await read()).reports[0].status as string
}
const noticeKinds = async () => {
  const { results } = await owner('GET', '/api/notifications/?limit=100')
  const kinds: string[] = results.map((notice: { kind: string }) => notice.kind)
  return kinds.filter(kind => kind.startsWith('report_'))
}

const bell = (name: string) => page.getByRole('button', { name, exact: true })
const panel = () => page.getByRole('dialog', { name: '通知' })
const toast = () => page.getByRole('region', { name: '通知' }).getByRole('alert')
const mails = () => page.getByRole('list', { name: '示範信箱' }).getByRole('link').filter({ hasText: REPORT })

describe('a report that breaks', () => {
  it('is shown to its owner as it happens, on any page', async () => {
    await page.goto(`${product.origin}/profile`)
    await page.getByRole('button', { name: /Sam Huang/ }).click()
    await bell('通知').waitFor()
    await setFaults([{ platform: 'meta', path: 'insights', action: 'expired_token' }])
    expect(await runReport()).toBe('error')
    await toast().getByText(FAILED).waitFor()
    await bell('1 則未讀通知').waitFor()
  })

  it('is under the choices of a field that is opened over it', async () => {
    await page.setViewportSize({ width: 420, height: 420 })
    const field = page.getByRole('combobox').first()
    await field.evaluate(element => element.scrollIntoView({ block: 'center' }))
    await field.click()
    const choice = page.getByRole('option').last()
    const [below, above] = await Promise.all([toast().boundingBox(), choice.boundingBox()])
    const [x, y] = [(above?.x ?? 0) + 20, Math.max(above?.y ?? 0, below?.y ?? Infinity) + 1]
    expect(y).toBeLessThan((above?.y ?? 0) + (above?.height ?? 0))
    const onTop = await choice.evaluate(
      (option, point) => option.contains(document.elementFromPoint(point.x, point.y)),
      { x, y },
    )
    expect(onTop).toBe(true)
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 1280, height: 900 })
  })

  it('is notified once, however often it fails', async () => {
    expect(await runReport()).toBe('error')
    expect(await runReport()).toBe('error')
    expect(await noticeKinds()).toEqual(['report_failed'])
  })

  it('is under the bell with its cause and a link to the fix, by keyboard as well', async () => {
    await bell('1 則未讀通知').focus()
    await page.keyboard.press('Enter')
    await panel().getByText(FAILED).waitFor()
    await panel().getByText('平台的公用帳號已過期').waitFor()
    const link = panel().getByRole('link', { name: '查看執行詳情' })
    await expect
      .poll(() => link.getAttribute('href'))
      .toMatch(/^\/gs-template\/history\?id=\d+&run=[\da-f-]{36}$/)
    expect(await findProblems(page, 'bell', { covered: true })).toEqual([])
    await page.keyboard.press('Escape')
    await panel().waitFor({ state: 'hidden' })
    await expect
      .poll(() => bell('1 則未讀通知').evaluate(button => button === document.activeElement))
      .toBe(true)
  })

  it('fits on a phone', async () => {
    await page.setViewportSize({ width: 360, height: 740 })
    await bell('1 則未讀通知').click()
    const edges = async () => {
      const box = await panel().boundingBox()
      return box && [box.x >= 0, box.x + box.width <= 360]
    }
    await expect.poll(edges).toEqual([true, true])
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 1280, height: 900 })
  })

  it('is in the owner’s mailbox in the owner’s language', async () => {
    await page.goto(`${product.origin}/mailbox`)
    await mails().getByText(FAILED).click()
    await page.getByRole('heading', { name: '您的報表' }).waitFor()
    await page.getByRole('link', { name: '查看執行詳情' }).waitFor()
    await page.getByText('純文字', { exact: true }).click()
    await page.getByText(`查看執行詳情: ${product.origin}/gs-template/history?id=`).waitFor()
    await expect.poll(() => mails().count()).toBe(1)
  })

  it('is reported as working again, once', async () => {
    await setFaults([])
    expect(await runReport()).toBe('completed')
    await bell('2 則未讀通知').waitFor()
    expect(await runReport()).toBe('completed')
    expect(await noticeKinds()).toEqual(['report_recovered', 'report_failed'])
    await bell('2 則未讀通知').click()
    await panel().getByText(RECOVERED).waitFor()
    await page.keyboard.press('Escape')
    await mails().getByText(RECOVERED).waitFor()
    await expect.poll(() => mails().count()).toBe(2)
  })

  it('is read on all pages of its owner when it is read on one', async () => {
    const other = await context.newPage()
    await other.goto(`${product.origin}/`)
    await other.getByRole('button', { name: '2 則未讀通知', exact: true }).waitFor()
    await bell('2 則未讀通知').click()
    await panel().getByRole('button', { name: '全部標示為已讀' }).click()
    await bell('通知').waitFor()
    await other.bringToFront()
    await other.getByRole('button', { name: '通知', exact: true }).waitFor()
    await other.close()
  })

  it('is not shown twice to somebody who watches it run', async () => {
    await page.goto(`${product.origin}/gs-template`)
    await page.getByRole('row', { name: REPORT }).waitFor()
    // It comes after the page, and shows what happens from then on.
    await page.getByRole('button', { name: /通知/ }).first().waitFor()
    await setFaults([{ platform: 'meta', path: 'insights', action: 'expired_token' }])
    await page.getByRole('row', { name: REPORT }).getByRole('button', { name: /操作/ }).click()
    // Notifications are requested before any of them would be shown.
    const response = page.waitForResponse(each => each.url().includes('/api/notifications/?limit=6'))
    await page.getByRole('menuitem', { name: '立即執行' }).click()
    await (await response).finished()
    await bell('1 則未讀通知').waitFor()
    await expect.poll(() => toast().getByText(FAILED).count()).toBe(0)
    await setFaults([])
  })
})

describe('the mailbox', () => {
  it('shows clients nothing but their own mail', async () => {
    const client = api(await tokenOf('client-b'))
    expect((await client('GET', '/api/demo/mailbox/')).count).toBe(0)
    const { results } = await superuser('GET', '/api/demo/mailbox/')
    expect(results.length).toBeGreaterThan(2)
    const unknown = await client('GET', `/api/demo/mailbox/${results[0].id}/`)
    const missing = await client('GET', '/api/demo/mailbox/999999/')
    expect([unknown.code, unknown.status]).toEqual([missing.code, missing.status])
    expect(unknown.status).toBe(404)
  })
})
