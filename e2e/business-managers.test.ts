import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { drawn } from '#server/testing/random.ts'
import { expectUsable } from './axe.ts'
import { signInAs, start } from './test-product.ts'
import { wordsOf } from './user-window.ts'

// Which ad accounts the agency reaches at Meta, which need somebody, and whose they are.

const started = start()
const PATH = '/bm-management'
const languages = drawn(['en', 'zh-TW'] as const, 2, 'business managers')

async function visit(username: string, language: 'en' | 'zh-TW', search = ''): Promise<Page> {
  const page = await signInAs(started, username, language)
  await page.goto(started.product.origin + PATH + search)
  return page
}

/** One for each row of the table, without its head. */
const rowsOf = (page: Page) =>
  page
    .getByRole('table')
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })

describe.each(languages)('business managers, in %s', language => {
  const { businesses: t } = wordsOf(language)
  const choose = async (page: Page, filter: string, option: string) => {
    await page.getByRole('combobox', { name: filter, exact: true }).click()
    await page.getByRole('option', { name: option, exact: true }).click()
  }

  it('show a director every account, the most urgent first, and how near its cap each is', async () => {
    const page = await visit('director', language)
    await expect.poll(() => rowsOf(page).count()).toBeGreaterThan(9)
    await expectUsable(page, 'the business managers', language)
    await choose(page, t.filter.warn, t.warning.cap)
    await page.waitForURL(/warn=cap/)
    await rowsOf(page).getByText('90.1%').first().waitFor()
    await choose(page, t.filter.warn, t.warning.stopped)
    await page.waitForURL(/warn=stopped/)
    await rowsOf(page)
      .getByText(/payment risk|付款風險/)
      .first()
      .waitFor()
    await choose(page, t.filter.warn, t.filter.warn_all)
    await choose(page, t.filter.relation, t.relation.owned)
    await page.waitForURL(/relation=owned/)
    await expect.poll(() => rowsOf(page).count()).toBe(2)
  })
})
