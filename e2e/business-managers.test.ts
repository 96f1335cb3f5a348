import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { drawn } from '#server/testing/random.ts'
import { filled } from './audience-page.ts'
import { expectUsable } from './axe.ts'
import { callerOf, signInAs, start } from './test-product.ts'
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
    expect(await rowsOf(page).first().textContent()).toMatch(/payment risk|付款風險/)
    await expectUsable(page, 'the business managers', language)
    await choose(page, t.filter.warn, t.warning.cap)
    await page.waitForURL(/warn=cap/)
    await expect.poll(() => rowsOf(page).count()).toBe(2)
    const rows = await rowsOf(page).allTextContents()
    expect(rows.filter(row => /Borealis Outdoor US.*100%/.test(row))).toHaveLength(1)
    expect(rows.filter(row => /Aurora Cosmetics Outlet.*90\.1%.*99,000/.test(row))).toHaveLength(1)
    await choose(page, t.filter.warn, t.filter.warn_all)
    await choose(page, t.filter.relation, t.relation.owned)
    await page.waitForURL(/relation=owned/)
    await expect.poll(() => rowsOf(page).count()).toBe(2)
    await rowsOf(page).getByRole('button').first().click()
    await page.getByRole('heading', { name: t.users.title }).waitFor()
    await expectUsable(page, 'an account of a business manager', language)
    await page.context().close()
  })

  it('are granted by a director to a client, who then sees their own accounts', async () => {
    const [business = ''] = Object.keys(
      (await (await callerOf(started, 'director'))('GET', '/api/fb-business/')).body,
    )
    const theirs = async () => {
      const client = await callerOf(started, 'client-b')
      return (await client('GET', `/api/fb-business/adaccount?business=${business}`)).status
    }
    expect(await theirs()).toBe(403)
    const page = await visit('director', language)
    await page.getByRole('button', { name: t.members.action, exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: t.members.person }).click()
    await page.getByRole('option', { name: 'Bo Borealis' }).click()
    await dialog.getByRole('button', { name: t.members.grant, exact: true }).click()
    const revoke = dialog.getByRole('button', { name: filled(t.members.revoke, { name: 'Bo Borealis' }) })
    await revoke.waitFor()
    expect(await theirs()).toBe(200)
    const granted = await visit('client-b', language)
    await expect.poll(() => rowsOf(granted).count()).toBeGreaterThan(0)
    const names = await rowsOf(granted).allTextContents()
    expect(names.filter(name => !/Borealis/.test(name))).toEqual([])
    await granted.context().close()
    await expectUsable(page, 'the access to a business manager', language)
    await revoke.click()
    await revoke.waitFor({ state: 'detached' })
    expect(await theirs()).toBe(403)
    await page.context().close()
  })
})

describe('an account of nobody', () => {
  const { businesses: t } = wordsOf('en')

  it('is related by a manager to an advertiser, whose reports can use it then', async () => {
    const page = await visit('manager', 'en', '?warn=unassigned')
    await expect.poll(() => rowsOf(page).count()).toBe(1)
    const name = 'Cedar Coffee US (login expired)'
    await rowsOf(page).getByRole('checkbox').check()
    await page.getByRole('toolbar').getByRole('button', { name: t.relate.action }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: t.column.advertiser }).click()
    await page.getByRole('option', { name: 'Cedar Coffee', exact: true }).click()
    await dialog.getByRole('button', { name: t.relate.submit, exact: true }).click()
    await page.getByText(t.nothing_found).waitFor()
    const api = await callerOf(started, 'manager')
    const { body } = await api('GET', '/api/ad/account/?search=Cedar%20Coffee%20US')
    expect(body.results).toContainEqual(expect.objectContaining({ name, advertiser_name: 'Cedar Coffee' }))
    await page.context().close()
  })
})

describe('somebody else', () => {
  it('of the agency sees the accounts of the advertisers whom they serve', async () => {
    const page = await visit('staff', 'en')
    await rowsOf(page).first().waitFor()
    const names = await rowsOf(page).allTextContents()
    expect(names.filter(name => !/Aurora|オーロラ|Delta/.test(name))).toEqual([])
    await page.context().close()
  })

  it('who is a client has no menu, no accounts and no API', async () => {
    const page = await signInAs(started, 'client-a', 'en')
    const { app, businesses: t } = wordsOf('en')
    await page.getByRole('link', { name: app.nav.audience_lists }).first().waitFor()
    expect(await page.getByRole('link', { name: t.title, exact: true }).count()).toBe(0)
    await page.goto(started.product.origin + PATH)
    await page.getByText(t.none, { exact: true }).waitFor()
    const api = await callerOf(started, 'client-a')
    expect((await api('GET', '/api/fb-business/')).body).toEqual({})
    expect((await api('GET', '/api/fb-business/adaccount?business=1')).status).toBe(403)
    await page.context().close()
  })
})
