import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { drawn } from '#server/testing/random.ts'
import { enBusiness } from '#web/i18n/en-business.ts'
import { app as appEn } from '#web/i18n/en/app.ts'
import { zhTWBusiness } from '#web/i18n/zh-TW-business.ts'
import { app as appZh } from '#web/i18n/zh-TW/app.ts'
import { expectUsable } from './axe.ts'
import { callerOf, signInAs, start } from './test-product.ts'

const started = start()

// A media plan becomes an order and an order money: written, signed, asked for and paid.

const UNIT = 1_000_000
const filled = (text: string, values: Record<string, string | number>) =>
  text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ''))

const languages = [
  { language: 'en' as const, t: enBusiness, app: appEn },
  { language: 'zh-TW' as const, t: zhTWBusiness, app: appZh },
]

let advertiser: { id: number; name: string }

beforeAll(async () => {
  const superuser = await callerOf(started, 'superuser')
  const { body } = await superuser('GET', '/api/advertiser/?ordering=name&limit=1')
  advertiser = body.results[0]
})

/** A cell of the editor's grid. */
const cellOf =
  (page: Page, t: typeof enBusiness) => (number: number, field: keyof typeof enBusiness.quotation.field) =>
    page.getByLabel(filled(t.quotation.lines.cell, { number, field: t.quotation.field[field] }))

/** What stands beside a name in a list of sums. */
const sumOf = (list: Locator, name: string) =>
  list.locator('dt', { hasText: new RegExp(`^${name}$`) }).locator('xpath=following-sibling::dd[1]')

describe.each(drawn(languages, 1, 'orders'))('an insertion order in $language', ({ language, t, app }) => {
  const { orders, quotation, payments } = t as typeof enBusiness

  it('is written, sent, accepted, asked for and paid', async () => {
    const page = await signInAs(started, 'superuser', language)
    const cell = cellOf(page, t as typeof enBusiness)
    // The sidebar does not have it; the search over everything does.
    await page.getByRole('button', { name: app.header.search }).first().click()
    await page.getByRole('combobox').last().fill(orders.title)
    await page.getByRole('option', { name: orders.title }).first().click()
    await page.waitForURL(/\/customer\/insertion-order$/)
    const sidebar = page.getByRole('navigation', { name: app.nav.label })
    expect(await sidebar.getByRole('link', { name: orders.title }).count()).toBe(0)
    await page.getByRole('heading', { name: orders.title, level: 1 }).waitFor()
    await page.getByRole('link', { name: orders.write }).first().click()

    // Three lines by keyboard and by pasting (B1).
    const title = page.getByRole('textbox', { name: quotation.head.name, exact: true })
    await title.fill(`2026 雙 11 ${language}`)
    await page.getByRole('combobox', { name: quotation.head.advertiser, exact: true }).fill(advertiser.name)
    await page.getByRole('option', { name: advertiser.name, exact: true }).click()
    await cell(1, 'kind').selectOption('fb')
    await cell(1, 'start').fill('2026-11-01')
    await cell(1, 'end').fill('2026-11-30')
    await cell(1, 'budget').fill('100000')
    await cell(1, 'fee_rate').fill('15')
    await cell(1, 'title').press('Control+Enter')
    await cell(2, 'kind').selectOption('aw')
    await cell(2, 'budget').fill('55555')
    await cell(2, 'fee_rate').fill('12.5')
    await page.getByRole('button', { name: quotation.lines.paste }).first().click()
    const dialog = page.getByRole('dialog', { name: quotation.paste.title })
    await dialog
      .getByLabel(quotation.paste.rows)
      .fill('UDN\tBanner\t2026-11-01\t2026-11-30\tCPM\t833,333\t120\t\t10%\ton top')
    await expectUsable(page, 'pasted rows', language)
    await dialog.getByRole('button', { name: /1/ }).click()
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => cell(3, 'budget').textContent()).toBe('100,000')
    await page.getByLabel(quotation.sums.discount, { exact: true }).fill('5000')
    await page.getByRole('button', { name: quotation.schedule.preset.thirds }).click()
    const bar = page.locator(`dl[aria-label="${quotation.sums.title}"]`)
    await expect.poll(() => sumOf(bar, orders.sum.total).textContent()).toMatch(/296,624$/)
    expect(await sumOf(bar, orders.sum.subtotal).textContent()).toMatch(/255,555$/)
    expect(await sumOf(bar, orders.sum.service_fee).textContent()).toMatch(/31,944$/)
    expect(await sumOf(bar, orders.sum.tax_amount).textContent()).toMatch(/14,125$/)
    await page.getByText(/118,648/).waitFor()
    // What lies behind the header cannot be hit, though it is near.
    await page.getByRole('heading', { level: 1 }).scrollIntoViewIfNeeded()
    await expectUsable(page, 'editor of a quotation', language)

    // Leaving asks; saving gives it an address.
    await page.getByRole('link', { name: app.nav.overview }).first().click()
    await page.getByRole('dialog').getByRole('button').first().waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: quotation.bar.save, exact: true }).click()
    await page.waitForURL(/insertion-order\/\d+\/edit$/)
    const [, id = ''] = /insertion-order\/(\d+)/.exec(page.url()) ?? []
    const api = await callerOf(started, 'superuser')
    const saved = (await api('GET', `/api/ad_insertion/quotation/${id}/`)).body
    expect([saved.total / UNIT, saved.lines.length, saved.status]).toEqual([296_624, 3, 'draft'])

    // Sending gives it a number.
    await page.getByRole('button', { name: quotation.bar.send }).click()
    const send = page.getByRole('dialog', { name: orders.confirm.send.title })
    await send.waitFor()
    await expectUsable(page, 'sending', language)
    await send.getByRole('button', { name: orders.confirm.send.submit, exact: true }).click()
    await send.waitFor({ state: 'detached' })
    const { label } = (await api('GET', `/api/ad_insertion/quotation/${id}/`)).body
    expect(label).toMatch(/^Q\d{4}-\d{4}$/)
    await page.getByText(orders.state.sent, { exact: true }).first().waitFor()

    // The customer has signed it.
    await page.getByRole('button', { name: orders.action.accept }).click()
    const accept = page.getByRole('dialog', { name: orders.accept.title })
    await accept.getByRole('textbox', { name: orders.accept.by, exact: true }).fill('王小明')
    await accept
      .getByRole('group', { name: orders.accept.file })
      .locator('input[type=file]')
      .setInputFiles({
        name: 'signed.pdf',
        mimeType: 'application/pdf',
        buffer: Buffer.from('%PDF-1.7\n%%EOF'),
      })
    await accept.getByText('signed.pdf').waitFor()
    await expectUsable(page, 'acceptance', language)
    await accept.getByRole('button', { name: orders.accept.submit, exact: true }).click()
    await accept.waitFor({ state: 'detached' })
    await page.getByText(orders.state.accepted, { exact: true }).first().waitFor()
    await page
      .getByRole('button', { name: /^P\d{4}-\d{4}$/ })
      .first()
      .waitFor()
    await expectUsable(page, 'accepted order', language)

    // The first part is paid with a bank fee (B8).
    await page
      .getByRole('button', { name: /^P\d{4}-\d{4}$/ })
      .first()
      .click()
    const payment = page.getByRole('dialog')
    await payment.getByRole('button', { name: payments.receipts.add }).click()
    await payment.getByRole('textbox', { name: payments.receipts.amount, exact: true }).fill('88959')
    await payment.getByLabel(payments.receipts.bank_fee, { exact: true }).fill('30')
    await payment.getByRole('button', { name: payments.receipts.submit }).last().click()
    await expect
      .poll(() =>
        payment
          .getByRole('textbox', { name: payments.receipts.amount, exact: true })
          .getAttribute('aria-invalid'),
      )
      .toBe('true')
    await payment.getByRole('textbox', { name: payments.receipts.amount, exact: true }).fill('88958')
    await payment.getByText(payments.receipts.nothing_left).waitFor()
    await expectUsable(page, 'receipt', language)
    await payment.getByRole('button', { name: payments.receipts.submit }).last().click()
    await payment.getByText(payments.state.paid, { exact: true }).first().waitFor()
    // In Chinese what was received has the same name.
    const states = async () =>
      (await api('GET', `/api/ad_insertion/payment/?quotation=${id}`)).body.results.map(
        (each: { status: string }) => each.status,
      )
    await expect.poll(states).toContain('paid')
    await page.keyboard.press('Escape')

    // It is in both lists.
    await page.goto(`${started.product.origin}/customer/insertion-order/payments?group=paid`)
    await page
      .getByRole('button', { name: /^P\d{4}-\d{4}$/ })
      .first()
      .waitFor()
    await expectUsable(page, 'payments', language)
    await page.goto(`${started.product.origin}/customer/insertion-order?status=accepted`)
    await page.getByRole('link', { name: `2026 雙 11 ${language}` }).waitFor()
    await expectUsable(page, 'orders', language)
    await page.context().close()
  })

  it('keeps what two people write at the same time', async () => {
    const api = await callerOf(started, 'superuser')
    const { body: made } = await api('POST', '/api/ad_insertion/quotation/', {
      title: `Two ${language}`,
      advertiser: advertiser.id,
      lines: [{ channel: 'fb', start: '2026-11-01', end: '2026-11-30', budget: 1000 * UNIT }],
    })
    const page = await signInAs(started, 'superuser', language)
    await page.goto(`${started.product.origin}/customer/insertion-order/${made.id}/edit`)
    const title = page.getByRole('textbox', { name: quotation.head.name, exact: true })
    await title.fill('Mine')
    const path = `/api/ad_insertion/quotation/${made.id}/`
    await api('PATCH', path, { version: made.version, title: 'Theirs' })
    await page.getByRole('button', { name: quotation.bar.save, exact: true }).click()
    const dialog = page.getByRole('dialog', { name: quotation.conflict.title })
    await dialog.getByText('Theirs', { exact: true }).waitFor()
    await expectUsable(page, 'conflict', language)
    await dialog.getByRole('button', { name: quotation.conflict.keep_mine }).click()
    await dialog.waitFor({ state: 'detached' })
    expect((await api('GET', path)).body.title).toBe('Mine')

    // A field that the server refuses is marked where it is.
    await cellOf(page, t as typeof enBusiness)(1, 'end').fill('2026-10-01')
    await page.getByRole('button', { name: quotation.bar.save, exact: true }).click()
    await expect
      .poll(() => cellOf(page, t as typeof enBusiness)(1, 'end').getAttribute('aria-invalid'))
      .toBe('true')
    await expectUsable(page, 'refused line', language)
    await page.context().close()
  })

  it('is revised, and both revisions are compared', async () => {
    const api = await callerOf(started, 'superuser')
    const act = async (id: number, action: string, body: object = {}) => {
      const { version } = (await api('GET', `/api/ad_insertion/quotation/${id}/`)).body
      return (await api('POST', `/api/ad_insertion/quotation/${id}/${action}/`, { version, ...body })).body
    }
    const { body: made } = await api('POST', '/api/ad_insertion/quotation/', {
      title: `Revised ${language}`,
      advertiser: advertiser.id,
      lines: [{ channel: 'fb', start: '2026-11-01', end: '2026-11-30', budget: 1000 * UNIT, fee_rate: 1000 }],
    })
    const { label } = await act(made.id, 'send')
    const page = await signInAs(started, 'superuser', language)
    await page.goto(`${started.product.origin}/customer/insertion-order/${made.id}`)
    await page.getByRole('button', { name: orders.action.more }).click()
    await page.getByRole('menuitem', { name: orders.action.revise, exact: true }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: orders.confirm.revise.submit, exact: true })
      .click()
    await page.waitForURL(/edit$/)
    await cellOf(page, t as typeof enBusiness)(1, 'budget').fill('2000')
    await page.getByRole('button', { name: quotation.bar.send }).click()
    await page
      .getByRole('dialog', { name: orders.confirm.send.title })
      .getByRole('button', { name: orders.confirm.send.submit, exact: true })
      .click()
    await page.getByText(`${label}-2`, { exact: true }).first().waitFor()
    await page.getByRole('button', { name: orders.compare.open }).click()
    const differences = page.getByRole('dialog', { name: orders.compare.title })
    await differences
      .getByText(/1,155$/)
      .first()
      .waitFor()
    await differences
      .getByText(/2,310$/)
      .first()
      .waitFor()
    await expectUsable(page, 'differences', language)
    await page.keyboard.press('Escape')
    await expect.poll(() => new URL(page.url()).search).toBe('')
    await page.context().close()
  })
})
