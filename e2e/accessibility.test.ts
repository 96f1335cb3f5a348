import { AxeBuilder } from '@axe-core/playwright'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser } from './browser.ts'
import { startProduct, type RunningProduct } from './product.ts'

let product: RunningProduct
let browser: Browser
beforeAll(async () => {
  ;[product, browser] = await Promise.all([startProduct(), openBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

const pages = [
  '/',
  '/gs-template?p=0',
  '/gs-template/template?id=1',
  '/gs-template/template',
  '/gs-template/setting?id=9',
  '/gs-template/history?id=8',
  '/sheets',
  '/profile',
]

const looks = [
  { language: 'en', colorScheme: 'light', width: 1440 },
  { language: 'zh-TW', colorScheme: 'dark', width: 1440 },
  { language: 'zh-TW', colorScheme: 'light', width: 360 },
  { language: 'en', colorScheme: 'dark', width: 360 },
] as const

describe.each(looks)('every page in $language, $colorScheme, $width px wide', look => {
  it('passes the checks of WCAG 2.2 AA and fits', async () => {
    const context = await browser.newContext({
      viewport: { width: look.width, height: 800 },
      colorScheme: look.colorScheme,
      locale: 'en-US',
    })
    const page = await context.newPage()
    page.setDefaultTimeout(20_000)
    const problems: string[] = []
    const check = async (path: string) => {
      const { violations } = await new AxeBuilder({ page })
        .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
        .analyze()
      for (const { id, nodes } of violations)
        problems.push(`${path} ${id}: ${nodes.map(node => node.target).join(' | ')}`)
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      if (overflow > 0) problems.push(`${path} is ${overflow} px too wide`)
    }
    await page.goto(`${product.origin}/sign-in`)
    await page.getByText('Mika Chen').waitFor()
    await check('/sign-in')
    await page.getByText('Mika Chen').click()
    await page.waitForURL(url => url.pathname !== '/sign-in')
    await speak(
      look.language,
      (await context.cookies()).find(each => each.name === 'access_token')?.value ?? '',
    )
    for (const path of pages) {
      await page.goto(`${product.origin}${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForFunction(() => !document.querySelector('[aria-busy="true"]'))
      await check(path)
    }
    await context.close()
    expect(problems).toEqual([])
  })
})

/** Sets the person's language, as the switch in the header does. */
async function speak(language: string, token: string) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const identity = (await (await fetch(`${product.origin}/users/identity/`, { headers })).json()) as {
    user_id: number
  }
  const answer = await fetch(`${product.origin}/users/${identity.user_id}/`, {
    method: 'PATCH',
    headers,
    body: JSON.stringify({ language }),
  })
  if (!answer.ok) throw new Error(await answer.text())
}
