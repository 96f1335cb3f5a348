import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'

const FONT = dirname(createRequire(import.meta.url).resolve('@fontsource-variable/noto-sans-tc/package.json'))
const ADDRESS = 'http://fonts.test/'

/**
 * Serves one open font, Latin and Chinese, to the pages of a context, so that pictures of them are the same
 * on any machine.
 */
export async function serveTestFont(context: BrowserContext) {
  await context.route(`${ADDRESS}**`, route => {
    const path = join(FONT, new URL(route.request().url()).pathname)
    return route.fulfill({
      body: readFileSync(path),
      contentType: path.endsWith('.css') ? 'text/css' : 'font/woff2',
      headers: { 'access-control-allow-origin': '*' },
    })
  })
}

/**
 * Draws the whole page in that font, without a blinking caret; the context must go past the content security
 * policy (`bypassCSP`).
 */
export async function useTestFont(page: Page) {
  await page.addStyleTag({ url: `${ADDRESS}index.css` })
  await page.addStyleTag({
    content: `*, *::before, *::after { font-family: 'Noto Sans TC Variable' !important; caret-color: transparent !important; }`,
  })
  await page.evaluate(async () => {
    // Only the parts of the font that are needed are requested.
    await new Promise(drawn => requestAnimationFrame(drawn))
    await document.fonts.ready
  })
}
