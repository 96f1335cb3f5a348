import type { Browser, BrowserContext, Page } from 'playwright-core'
import { isDrawn } from '#server/testing/random.ts'
import { enBusiness } from '#web/i18n/en-business.ts'
import { editing } from '#web/i18n/en/editing.ts'
import { en } from '#web/i18n/en.ts'
import { zhTWBusiness } from '#web/i18n/zh-TW-business.ts'
import { editing as editingZh } from '#web/i18n/zh-TW/editing.ts'
import { zhTW } from '#web/i18n/zh-TW.ts'
import { openWindow } from './browser.ts'
import type { RunningProduct } from './product.ts'

/** Every text of the interface by key, to find things by their names in either language. */
export const wordsOf = (language: 'en' | 'zh-TW') =>
  language === 'en' ? { ...en, ...enBusiness, editing } : { ...zhTW, ...zhTWBusiness, editing: editingZh }

/**
 * For what costs too much to be checked in both languages each time: whether this language is checked, drawn
 * anew for each run. The long form checks both.
 */
export const runsIn = (language: 'en' | 'zh-TW', what: string): boolean =>
  Boolean(process.env.LONG) || isDrawn(2, what) === (language === 'en')

/**
 * Signs a context in as somebody of the demo agency (`superuser`, `manager`, `client-a` …), who reads this
 * language.
 */
export async function signIn(
  context: BrowserContext,
  product: RunningProduct,
  { username, language }: { username: string; language: 'en' | 'zh-TW' },
) {
  const { request } = context
  const response = await request.post(`${product.origin}/api/token/`, {
    data: { username, password: 'sheetcast-demo' },
  })
  if (!response.ok()) throw new Error(await response.text())
  const { access, user_id } = (await response.json()) as { access: string; user_id: number }
  const headers = { authorization: `Bearer ${access}` }
  await request.patch(`${product.origin}/users/${user_id}/`, { headers, data: { language, theme: 'auto' } })
  return {
    async get<Reply>(path: string): Promise<Reply> {
      return (await (await request.get(product.origin + path, { headers })).json()) as Reply
    },
  }
}

/** Theme and width of a visitor's window. */
export interface Look {
  language: 'en' | 'zh-TW'
  colorScheme: 'light' | 'dark'
  width: number
}

/** Somebody of the demo agency in a window of their own, without motion. */
export async function enter(
  { product, browser }: { product: RunningProduct; browser: Browser },
  { language, colorScheme, width }: Look,
  username = 'superuser',
) {
  const context = await openWindow(browser, {
    viewport: { width, height: 800 },
    colorScheme,
  })
  const page = await context.newPage()
  return { context, page, api: await signIn(context, product, { username, language }) }
}

/** Turns what is open to another theme and width, and waits until it is drawn so. */
export async function changeLook(page: Page, { colorScheme, width }: Pick<Look, 'colorScheme' | 'width'>) {
  await page.emulateMedia({ colorScheme })
  await page.setViewportSize({ width, height: 800 })
  await page.waitForFunction(
    ([theme, wide]) =>
      innerWidth === wide &&
      document.documentElement.dataset.mantineColorScheme === theme &&
      // A component that measures itself draws in the frame after its measurement.
      new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(() => resolve(true)))),
    [colorScheme, width] as const,
  )
}

/** Opens a page of the product and waits until it shows what it has. */
export async function openPage(page: Page, address: string) {
  await page.goto(address)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.waitForFunction(
    () =>
      !document.querySelector(
        '[aria-busy="true"], output[aria-label="Loading"], output[aria-label="載入中"]',
      ),
  )
}
