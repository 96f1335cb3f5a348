import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser } from './browser.ts'
import { startProduct, type RunningProduct } from './product.ts'

// What a browser with an empty cache loads, gzip: the sizes of P10 in docs/performance.md, held.

const DIST = join(import.meta.dirname, '../dist/web')
/** A word of the catalogues, which take 23 kB and belong to the editor alone. */
const CATALOGUE = 'Viewable impressions'

let product: RunningProduct
let browser: Browser
let manager: Awaited<ReturnType<BrowserContext['storageState']>>

beforeAll(async () => {
  ;[product, browser] = await Promise.all([startProduct(), openBrowser()])
  const context = await browser.newContext({ locale: 'en-US' })
  const page = await context.newPage()
  await page.goto(`${product.origin}/sign-in`)
  await page.getByLabel('User name').fill('manager')
  await page.getByLabel('Password', { exact: true }).fill('sheetcast-demo')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('navigation').first().waitFor()
  manager = await context.storageState()
  await context.close()
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

describe('a first load', () => {
  it('takes at most 145 kB of script and 25 kB of style to sign in', async () => {
    const load = await firstLoad(async page => {
      await page.context().clearCookies()
      await open(page, '/sign-in')
      await page.getByText('Mika Chen').waitFor()
    })
    expect(load.script).toBeLessThan(145_000)
    expect(load.style).toBeLessThan(25_000)
  })

  it('takes no more for the overview of somebody who is told why reports have failed', async () => {
    const load = await firstLoad(async page => {
      await failEveryReport(page)
      await open(page, '/')
      await page.getByText('The account can no longer be used.').first().waitFor()
    })
    expect(load.script).toBeLessThan(145_000)
    expect(load.style).toBeLessThan(25_000)
  })

  it('takes at most 235 kB of script for the list, without the catalogues', async () => {
    const load = await firstLoad(async page => {
      await open(page, '/gs-template')
      await page.getByRole('row').nth(1).waitFor()
    })
    expect(load.script).toBeLessThan(235_000)
    expect(load.style).toBeLessThan(25_000)
    expect(load.text).not.toContain(CATALOGUE)
  })

  it('has the catalogues for the editor', async () => {
    const load = await firstLoad(async page => {
      await open(page, '/gs-template/template')
      await page.getByRole('button', { name: 'Add Meta ads' }).waitFor()
    })
    expect(load.text).toContain(CATALOGUE)
  })

  it('has what errors say in one language, and in the other once that is chosen', async () => {
    const chinese = '已無法使用此帳戶，請參考授權說明重新授權。'
    const visit = async (page: Page) => {
      await failEveryReport(page)
      await open(page, '/')
      await page.getByText('The account can no longer be used.').first().waitFor()
    }
    expect((await firstLoad(visit)).text).not.toContain(chinese)
    const load = await firstLoad(async page => {
      await visit(page)
      await page.getByRole('button', { name: 'Language' }).click()
      await page.getByText('繁體中文').click()
      await page.getByText(chinese).first().waitFor()
    })
    expect(load.text).toContain(chinese)
  })
})

/** What a browser with an empty cache has loaded when the visit is over. */
async function firstLoad(visit: (page: Page) => Promise<void>) {
  const context = await browser.newContext({ storageState: manager })
  const page = await context.newPage()
  await visit(page)
  const paths = await page.evaluate(() =>
    performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname),
  )
  await context.close()
  const read = (ending: string) =>
    Promise.all(paths.filter(path => path.endsWith(ending)).map(path => readFile(join(DIST, path))))
  const [scripts, styles] = await Promise.all([read('.js'), read('.css')])
  return { script: sizeOf(scripts), style: sizeOf(styles), text: scripts.join('\n') }
}

const open = (page: Page, path: string) => page.goto(product.origin + path)

const sizeOf = (files: Buffer[]) => files.reduce((sum, file) => sum + gzipSync(file, { level: 9 }).length, 0)

async function failEveryReport(page: Page) {
  await page.route(/\/api\/gs-template-setting\//, async route => {
    const answer = await route.fetch()
    const { results, ...rest } = await answer.json()
    const last_run = { status: 'error', code: 'account_access_lost', finished_at: '2026-09-01T06:00:00Z' }
    const failed = results.map((report: object) => ({ ...report, last_run }))
    await route.fulfill({ json: { ...rest, results: failed } })
  })
}
