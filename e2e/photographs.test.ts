import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { preview } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  readResponses,
  serveResponses,
  writeResponses,
  type RecordedResponses,
} from './recorded-responses.ts'
import { closeWindows, openWindow, sharedBrowser } from './browser.ts'
import { startGallery, type RunningGallery } from './gallery.ts'
import { calm, isUpdating, photograph } from './photograph.ts'
import { untilPrepared } from './prepared.ts'
import { startProduct } from './product.ts'
import { serveTestFont } from './test-font.ts'
import { openPage } from './user-window.ts'

/**
 * How widgets and pages look. What makes photographs fragile is fixed: one font for all machines, one browser
 * (the one of an npm package), recorded responses of the server, a stopped clock, no motion. Elsewhere than
 * on Linux the browser is another one, and nothing is compared.
 */
const isSameBrowser = process.platform === 'linux' && process.arch === 'x64' && !process.env.CHROME_PATH

interface Look {
  language: 'en' | 'zh-TW'
  colorScheme: 'light' | 'dark'
  width: number
}
const looks: Look[] = [
  { language: 'en', colorScheme: 'light', width: 1280 },
  { language: 'zh-TW', colorScheme: 'dark', width: 360 },
]
const parts = ['fields', 'choices', 'money', 'dates', 'files', 'menus', 'tables', 'messages', 'notices']
const pages = {
  'sign-in': '/sign-in',
  overview: '/',
  list: '/gs-template?p=0',
  editor: '/gs-template/template?id=1',
  history: '/gs-template/history?id=8',
  sheets: '/sheets',
}

describe.skipIf(!isSameBrowser)('photographs', () => {
  let gallery: RunningGallery
  let browser: Browser
  let site: Awaited<ReturnType<typeof preview>>
  let known: RecordedResponses
  let token = 'photographed'

  beforeAll(async () => {
    await untilPrepared()
    known = isUpdating ? { now: new Date().toISOString(), answers: {} } : readResponses()
    ;[gallery, browser] = await Promise.all([startGallery(), sharedBrowser()])
    site = await preview({
      configFile: join(import.meta.dirname, '../vite.config.ts'),
      preview: { port: 0, host: '127.0.0.1', proxy: {} },
    })
    if (isUpdating) {
      const product = await startProduct()
      const response = await fetch(`${product.origin}/api/token/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: 'manager', password: 'sheetcast-demo' }),
      })
      token = ((await response.json()) as { access: string }).access
      for (const look of looks)
        await walk(await enter(look, product.origin), async page => void (await calm(page)))
      await product.stop()
      writeResponses(known)
    }
  })
  afterAll(async () => {
    await closeWindows(browser)
    await Promise.all([gallery?.stop(), site?.close()])
  })

  /** With `product` the responses are requested and recorded; without it the recorded ones are shown. */
  const enter = async ({ language, colorScheme, width }: Look, product: string | null = null) => {
    const context = await openWindow(browser, {
      viewport: { width, height: width < 500 ? 800 : 900 },
      colorScheme,
      timezoneId: 'Asia/Taipei',
      bypassCSP: true,
    })
    await context.clock.setFixedTime(known.now)
    await serveTestFont(context)
    await serveResponses(context, known, { language, product })
    await context.addInitScript(chosen => (document.cookie = `language=${chosen}; path=/`), language)
    const page = await context.newPage()
    return page
  }

  const walk = async (page: Page, look: (page: Page, name: string) => Promise<void>) => {
    const address = site.httpServer.address()
    const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
    for (const [name, path] of Object.entries(pages)) {
      if (name !== 'sign-in')
        await page.context().addCookies([{ name: 'access_token', value: token, url: origin }])
      await openPage(page, origin + path)
      await look(page, name)
    }
    await page.context().close()
  }

  describe.each(looks)('in $language, $colorScheme, $width px wide', look => {
    const nameOf = (what: string) => [what, look.language, look.colorScheme, look.width].join('.')

    it('widgets look as they did', async () => {
      const page = await enter(look)
      const different: string[] = []
      for (const part of parts) {
        await page.goto(`${gallery.origin}?part=${part}&language=${look.language}&theme=${look.colorScheme}`)
        await page.getByRole('heading', { level: 1 }).waitFor()
        different.push(...(await photograph(page, nameOf(part), { whole: true })))
      }
      await page.context().close()
      expect(different).toEqual([])
    })

    it('pages look as they did', async () => {
      const different: string[] = []
      await walk(await enter(look), async (page, name) => {
        different.push(...(await photograph(page, nameOf(name))))
      })
      expect(different).toEqual([])
    })
  })
})
