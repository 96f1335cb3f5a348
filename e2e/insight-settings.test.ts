import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ConversionDefinition, ExchangeRate } from '#shared/api/insight-settings.ts'
import { drawn } from '#server/testing/random.ts'
import { expectUsable } from './axe.ts'
import { callerOf, signInAs, start } from './test-product.ts'
import { wordsOf } from './user-window.ts'

const started = start()

// An analyst says what numbers mean: a formula, what counts, a name, a rate.

const languages = drawn(['en', 'zh-TW'] as const, 1, 'insight-settings')

describe.each(languages)('what numbers mean, in %s', language => {
  const { app, insight, conversions, labels, rates } = wordsOf(language)
  const filled = (text: string, values: Record<string, string | number>) =>
    text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ''))
  let page: Page
  let api: Awaited<ReturnType<typeof callerOf>>

  const dialog = () => page.getByRole('dialog')
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
  const field = (name: string) => page.getByRole('textbox', { name, exact: true })
  const tab = (name: string) =>
    page.getByRole('navigation', { name: insight.tab.label }).getByRole('link', { name, exact: true }).click()
  const choose = async (name: string, option: RegExp) => {
    await dialog().getByRole('combobox', { name, exact: true }).click()
    await page.getByRole('option', { name: option }).first().click()
  }

  beforeAll(async () => {
    // One for each language, since the language is the person's.
    const person = language === 'en' ? 'director' : 'superuser'
    page = await signInAs(started, person, language)
    api = await callerOf(started, person)
    await page.getByRole('link', { name: app.nav.insight_settings }).click()
  })

  it('is a formula, tried with the days of an account before it is saved', async () => {
    await button(insight.create.title).first().click()
    await dialog()
      .getByRole('textbox', { name: insight.field.name, exact: true })
      .fill(`Cost of a lead ${language}`)
    await dialog()
      .getByRole('textbox', { name: insight.field.name_zh, exact: true })
      .fill(`名單成本 ${language}`)
    const formula = dialog().getByRole('textbox', { name: insight.field.formula, exact: true })
    await formula.fill('cost + leads')
    await dialog().getByText(insight.fault.mixed).waitFor()
    expect(await dialog().locator('mark').textContent()).toBe('+')
    await expectUsable(page, 'the form of a metric', language)
    await formula.fill('cost ')
    await button(insight.formula.operator['÷']).click()
    await dialog().getByRole('textbox', { name: insight.palette.search, exact: true }).fill('leads')
    await dialog()
      .getByRole('button', { name: /leads$/ })
      .first()
      .click()
    await expect.poll(() => formula.inputValue()).toMatch(/^cost ÷ \w*leads$/)
    await choose(insight.try.account, /./)
    await dialog().getByRole('figure', { name: insight.try.title }).waitFor()
    await dialog().getByRole('button', { name: insight.create.submit, exact: true }).click()
    await dialog().waitFor({ state: 'detached' })
    await button(`${language === 'en' ? 'Cost of a lead' : '名單成本'} ${language}`).waitFor()
  })

  it('is what counts as a conversion, from the actions of an account', async () => {
    await tab(insight.tab.conversions)
    await button(conversions.create.title).first().click()
    await choose(conversions.field.advertiser, /^Aurora/)
    await dialog()
      .getByRole('textbox', { name: conversions.field.name, exact: true })
      .fill(`Paid orders ${language}`)
    await dialog()
      .getByRole('textbox', { name: conversions.field.name_zh, exact: true })
      .fill(`付款訂單 ${language}`)
    await choose(conversions.account, /./)
    const actions = dialog().getByRole('list', { name: conversions.actions, exact: true })
    await actions.getByRole('checkbox', { name: 'purchase', exact: true }).check()
    await actions.getByRole('checkbox', { name: 'omni_purchase', exact: true }).check()
    const overlap = filled(conversions.overlap, { one: 'purchase', other: 'omni_purchase' })
    const turned = filled(conversions.overlap, { one: 'omni_purchase', other: 'purchase' })
    await dialog().getByText(overlap).or(dialog().getByText(turned)).waitFor()
    await actions.getByRole('checkbox', { name: 'omni_purchase', exact: true }).uncheck()
    await expectUsable(page, 'the form of a definition', language)
    await dialog().getByRole('button', { name: conversions.create.submit, exact: true }).click()
    await dialog().waitFor({ state: 'detached' })
    const { body } = await api('GET', `/api/insight-setting/conversions/?search=Paid%20orders%20${language}`)
    const [saved] = body.results as ConversionDefinition[]
    expect(saved?.entries).toEqual([{ channel: 'fb', action: 'purchase' }])
  })

  it('is the name of a metric', async () => {
    await tab(insight.tab.labels)
    const original = language === 'en' ? 'Impressions' : '曝光次數'
    await button(filled(labels.change_of, { name: original })).click()
    await field(labels.field.label).fill('Views')
    await field(labels.field.label_zh).fill('瀏覽')
    await expectUsable(page, 'the form of a label', language)
    await page.keyboard.press('Enter')
    await button(filled(labels.reset_of, { name: original })).click()
    await button(filled(labels.reset_of, { name: original })).waitFor({ state: 'detached' })
  })

  it('is the rate of a month, by hand or from a file', async () => {
    const [currency, typed, imported, euro] =
      language === 'en' ? ['USD', '31.505', '31.6', '34.1'] : ['JPY', '0.2085', '0.2086', '34.2']
    const rate = (name: string) => page.getByRole('button', { name: new RegExp(name) }).first()
    await tab(insight.tab.rates)
    await rate(`${rates.carried}.*${currency}`).click()
    // On a phone the rates are a list of their own: the form is left.
    await expectUsable(page, 'the form of a rate', language)
    await rate(`${rates.carried}.*${currency}`).click()
    await page.keyboard.type(typed)
    await page.keyboard.press('Enter')
    await rate(`^${typed}.*${currency}`).waitFor()
    const { body } = await api('GET', `/api/insight-setting/rates/?currency=${currency}&limit=1`)
    const [{ month }] = body.results as [ExchangeRate]
    await button(rates.import.open).click()
    const rows = [`${month},${currency},${imported}`, `${month},EUR,${euro}`]
    await field(rates.import.pasted).fill(['month,currency,rate', ...rows].join('\n'))
    await button(rates.import.check).click()
    await dialog().getByRole('button', { name: /2/ }).waitFor()
    await expectUsable(page, 'the import of rates', language)
    await dialog().getByRole('button', { name: /2/ }).click()
    await rate(`^${imported}.*${currency}`).waitFor()
    await rate(`^${euro}.*EUR`).waitFor()
  })
})
