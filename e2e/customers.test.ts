import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { drawn } from '#server/testing/random.ts'
import { expectUsable } from './axe.ts'
import { callerOf, signInAs, start } from './test-product.ts'
import { wordsOf } from './user-window.ts'

const started = start()

// An account manager takes a customer on; a colleague and they change it at once; it is put to rest.

const languages = drawn(['en', 'zh-TW'] as const, 1, 'customers')

describe.each(languages)('a new customer, in %s', language => {
  const { advertisers: t, customers, industries, agents, app, money, ui } = wordsOf(language)
  const filled = (text: string, values: Record<string, string | number>) =>
    text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ''))
  const name = `Nova ${language}`
  let page: Page

  const button = (label: string) => page.getByRole('button', { name: label, exact: true })
  const field = (label: string) => page.getByRole('textbox', { name: label, exact: true })
  const choose = async (label: string, option: string) => {
    // The list behind the form has filters of the same names.
    await dialog().getByRole('combobox', { name: label, exact: true }).click()
    await page.getByRole('option', { name: option, exact: true }).click()
  }
  const act = async (of: string, entry: string) => {
    await button(filled(customers.action.actions_of, { name: of })).click()
    await page.getByRole('menuitem', { name: entry, exact: true }).click()
  }
  const tab = (label: string) =>
    page
      .getByRole('navigation', { name: t.tab.label })
      .getByRole('link', { name: label, exact: true })
      .click()
  const dialog = () => page.getByRole('dialog')

  beforeAll(async () => {
    // One for each language, since the language is the person's.
    page = await signInAs(started, language === 'en' ? 'director' : 'superuser', language)
  })

  it('needs an industry and an agent', async () => {
    await page.getByRole('link', { name: app.nav.industries }).click()
    await button(industries.create.title).first().click()
    await field(industries.name).fill(`Games ${language}`)
    await field(industries.name_zh).fill(`遊戲 ${language}`)
    await button(industries.create.submit).click()
    await page.getByText(filled(industries.create.done, { name: `Games ${language}` })).waitFor()

    await page.getByRole('link', { name: app.nav.agents }).click()
    await button(agents.create.title).first().click()
    await field(agents.field.name).fill(`Northern ${language}`)
    await field(agents.field.commission_rate).fill('12.5')
    await expectUsable(page, 'the drawer of an agent', language)
    await button(agents.create.submit).click()
    await page.getByRole('row', { name: `Northern ${language}` }).waitFor()
  })

  it('is taken on with a name and a tax id', async () => {
    await page.getByRole('link', { name: app.nav.advertisers }).click()
    await button(t.create.title).first().click()
    await field(t.field.name).fill(name)
    await field(customers.tax_ids.TW).fill('10458571')
    await dialog()
      .getByText(/checksum|check digit|檢查碼/)
      .waitFor()
    await field(customers.tax_ids.TW).fill('10458570')
    await dialog().getByRole('img', { name: customers.tax_id_valid }).waitFor()
    await choose(t.field.industry, language === 'en' ? `Games ${language}` : `遊戲 ${language}`)
    await choose(t.field.agent, `Northern ${language}`)
    await expectUsable(page, 'the form of a new advertiser', language)
    await dialog().getByRole('button', { name: t.create.submit, exact: true }).click()
    await page.getByRole('heading', { level: 1, name }).waitFor()
    await page.getByText('10458570').first().waitFor()
  })

  it('asks before what was written is lost', async () => {
    await tab(t.tab.data)
    await field(t.field.address).fill('台北市信義區')
    await tab(t.tab.members)
    await dialog().getByRole('button', { name: ui.cancel, exact: true }).click()
    await expect.poll(() => field(t.field.address).inputValue()).toBe('台北市信義區')
  })

  it('keeps both changes when a colleague has saved meanwhile', async () => {
    const colleague = await callerOf(started, language === 'en' ? 'superuser' : 'director')
    const { body } = await colleague('GET', `/api/advertiser/?search=${encodeURIComponent(name)}`)
    const [{ id, version }] = body.results
    const note = 'Calls on Fridays'
    expect((await colleague('PATCH', `/api/advertiser/${id}/`, { version, note })).status).toBe(200)
    await button(t.save).click()
    await page.getByText(filled(customers.conflict.detail, { fields: t.field.note })).waitFor()
    await button(customers.conflict.merge).click()
    await expect.poll(() => field(t.field.note).inputValue()).toBe(note)
    await button(t.save).click()
    await page.getByText(filled(t.saved, { name })).waitFor()
    const { body: saved } = await colleague('GET', `/api/advertiser/${id}/`)
    expect(saved).toMatchObject({ note, address: '台北市信義區' })
  })

  it('has a contact who gets the documents', async () => {
    await button(money.contact.add).click()
    const contact = page.getByRole('group', { name: filled(money.contact.nth, { number: 1 }) })
    await contact.getByRole('textbox', { name: money.contact.name, exact: true }).fill('Amy Lin')
    await contact.getByRole('textbox', { name: money.contact.email, exact: true }).fill('amy@example.com')
    await button(t.save).click()
    await button(t.reset).waitFor({ state: 'detached' })
    await tab(t.tab.overview)
    await page.getByRole('link', { name: 'amy@example.com' }).waitFor()
    await page.getByText(t.overview.billing_contact).waitFor()
  })

  it('has members', async () => {
    await tab(t.tab.members)
    await button(t.members.add).click()
    await page.getByRole('option', { name: /Sam Huang/ }).click()
    await page.keyboard.press('Escape')
    await button(t.members.add_submit).click()
    await page.getByRole('row', { name: /Sam Huang/ }).waitFor()
  })

  it('has an account that was another customer’s, and gives it back', async () => {
    await tab(t.tab.accounts)
    await button(t.accounts.relate).first().click()
    await dialog().getByRole('button', { name: t.accounts.title, exact: true }).click()
    await page
      .getByRole('option', { name: /Ember Games/ })
      .first()
      .click()
    await page.keyboard.press('Escape')
    await dialog()
      .getByText(/Ember Games/)
      .first()
      .waitFor()
    await dialog().getByRole('button', { name: t.accounts.relate_submit, exact: true }).click()
    const row = page.getByRole('row', { name: /Ember Games/ })
    await row.waitFor()
    await row.getByRole('button').click()
    await dialog().getByRole('button', { name: t.accounts.release, exact: true }).click()
    await page.getByText(t.accounts.none).waitFor()
  })

  it('is found by its filters, which are in the address', async () => {
    await page.goto(`${started.product.origin}/customer/advertiser?search=10458570&no_agreement=true`)
    await page.getByRole('row', { name }).waitFor()
    await page.goto(
      `${started.product.origin}/customer/advertiser?is_active=false&search=10458570%20${language}`,
    )
    await page.getByText(t.nothing_found).waitFor()
    await button(t.clear).click()
    await page.getByRole('row', { name }).waitFor()
  })

  it('is put to rest, and is marked in the list', async () => {
    await page.getByRole('link', { name, exact: true }).click()
    await act(name, customers.action.deactivate)
    await dialog().getByRole('button', { name: customers.action.deactivate, exact: true }).click()
    await page.getByText(filled(t.deactivated, { name })).waitFor()
    await page.getByRole('link', { name: app.nav.advertisers }).first().click()
    await page.getByRole('row', { name }).getByText(customers.state.inactive).waitFor()
  })
})

describe('the agency on its documents', () => {
  const { issuer: t, app } = wordsOf('zh-TW')
  const path = '/api/ad_insertion/issuer/'
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )

  it('has a logo and other facts from finance', async () => {
    const page = await signInAs(started, 'finance', 'zh-TW')
    await page.getByRole('link', { name: app.nav.issuer, exact: true }).click()
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: png })
    await page.getByRole('img', { name: t.logo.alt }).waitFor()
    await page.getByRole('textbox', { name: t.field.phone, exact: true }).fill('+886 2 8765 4321')
    await expectUsable(page, 'the agency on its documents', 'zh-TW')
    await page.getByRole('button', { name: t.save, exact: true }).click()
    await page.getByText(t.saved).waitFor()
    const api = await callerOf(started, 'finance')
    const logo = `data:image/png;base64,${png.toString('base64')}`
    expect((await api('GET', path)).body).toMatchObject({ phone: '+886 2 8765 4321', logo })
  })

  it('asks before changes are lost', async () => {
    const page = await signInAs(started, 'finance', 'zh-TW')
    await page.goto(`${started.product.origin}/customer/issuer`)
    await page.getByRole('textbox', { name: t.field.phone, exact: true }).fill('1')
    await page.getByRole('link', { name: app.nav.industries }).first().click()
    await page.getByRole('dialog', { name: wordsOf('zh-TW').editor.leave.title }).waitFor()
  })

  it('is no page of an account manager', async () => {
    const page = await signInAs(started, 'staff', 'zh-TW')
    await page.getByRole('link', { name: app.nav.industries }).first().waitFor()
    expect(await page.getByRole('link', { name: app.nav.issuer }).count()).toBe(0)
    await page.goto(`${started.product.origin}/customer/issuer`)
    await page.getByRole('link', { name: app.nav.industries }).first().waitFor()
    expect(await page.getByRole('button', { name: t.save }).count()).toBe(0)
  })
})

describe('somebody else', () => {
  it('who is a client has no page, no menu and no API', async () => {
    const page = await signInAs(started, 'client-a', 'en')
    await page.getByRole('link', { name: 'Auto-update reports' }).first().waitFor()
    expect(await page.getByRole('link', { name: 'Advertisers' }).count()).toBe(0)
    await page.goto(`${started.product.origin}/customer/advertiser/1`)
    await page.getByRole('heading', { name: 'This page does not exist' }).waitFor()
    const api = await callerOf(started, 'client-a')
    for (const path of ['advertiser/', 'advertiser/1/', 'industry/', 'agent/'])
      expect((await api('GET', `/api/${path}`)).status).toBe(403)
  })
})
