import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import type { EcSpend, Statement, Statements } from '#shared/api/ec-spend.ts'
import { drawn } from '#server/testing/random.ts'
import { monthsLater } from '#web/ui/month.ts'
import { expectUsable } from './axe.ts'
import { callerOf, signInAs, start } from './test-product.ts'
import { wordsOf } from './user-window.ts'

const started = start()

// Finance closes a month: it works off the checks, locks it, bills it, and cannot open it again after that.

const [language = 'en'] = drawn(['en', 'zh-TW'] as const, 1, 'ec-spend')
const { app, closing, spending, ui } = wordsOf(language)
const filled = (text: string, values: Record<string, string | number>) =>
  text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ''))
/** How long the demo may take on a busy machine. */
const DEMO_LOCKS_MS = 600_000

/** A text with a month or a number in it, as a pattern. */
const anyOf = (text: string) =>
  new RegExp(text.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`).replaceAll(/\{\{\w+\}\}/g, '.+'))

const api = async (username: string) => {
  const call = await callerOf(started, username)
  return {
    statements: async (month: string): Promise<Statement[]> => {
      const { body } = await call('GET', `/api/ad/ecspend/statement/?month=${month}`)
      return (body as z.infer<typeof Statements>).results
    },
  }
}

describe(`the month of finance, in ${language}`, () => {
  let page: Page
  let month: string
  const button = (label: string) => page.getByRole('button', { name: label, exact: true })
  const tab = (label: string) =>
    page.getByRole('navigation', { name: closing.tab.label }).getByRole('link', { name: label }).click()
  const dialog = () => page.getByRole('dialog')

  beforeAll(async () => {
    page = await signInAs(started, 'finance', language)
  })

  it(
    'comes after the months that the demo has locked',
    async () => {
      // It does so once what their accounts have cost is there.
      const call = await callerOf(started, 'finance')
      const to = new Date().toISOString().slice(0, 7)
      const states = async () => {
        const { body } = await call('GET', `/api/ad/ecspend/?from=${monthsLater(to, -2)}&to=${to}`)
        return (body as EcSpend).months.map(({ state }) => state)
      }
      await expect.poll(states, { timeout: DEMO_LOCKS_MS }).toContain('locked')
    },
    DEMO_LOCKS_MS,
  )

  it('begins with what customers spend and owe', async () => {
    await page.getByRole('link', { name: app.nav.ec_spend }).click()
    await page.getByRole('heading', { level: 1, name: spending.title }).waitFor()
    await page.getByRole('table').first().waitFor()
    await expectUsable(page, 'spending by month', language)
    const opener = page.getByRole('button', { name: anyOf(spending.matrix.open) }).first()
    await opener.focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.locator('tr[data-depth="1"]').count()).toBeGreaterThan(0)
  })

  it('compares two months', async () => {
    await button(spending.compare.start).click()
    await page.getByRole('combobox', { name: spending.compare.a }).waitFor()
    await expectUsable(page, 'two months beside each other', language)
    await button(spending.compare.end).click()
  })

  it('leads to the month that is to be closed', async () => {
    await page.getByRole('link', { name: anyOf(spending.close_month) }).click()
    await page.getByRole('heading', { level: 1, name: anyOf(closing.title) }).waitFor()
    month = /\d{4}-\d{2}/.exec(page.url())?.[0] ?? ''
    await expectUsable(page, 'the checks of a month', language)
  })

  it('has statements, a reconciliation and adjustments', async () => {
    await tab(closing.tab.statements)
    await page.locator('main button[aria-expanded="false"]').first().click()
    await page.getByRole('table').first().waitFor()
    await expectUsable(page, 'the statements of a month', language)
    await tab(closing.tab.reconciliation)
    await page.getByRole('table', { name: closing.tab.reconciliation }).waitFor()
    await expectUsable(page, 'the reconciliation of a month', language)
    await tab(closing.tab.adjustments)
    await button(closing.adjustment.add).click()
    await expectUsable(page, 'the form of an adjustment', language)
    await dialog().getByRole('button', { name: ui.cancel, exact: true }).click()
    await tab(closing.tab.checks)
  })

  it('is locked once every check is worked off', async () => {
    // The list gets shorter meanwhile: days that are not known are being fetched.
    while ((await button(closing.waive.open).count()) > 0) {
      await button(closing.waive.open).first().click()
      await page.getByPlaceholder(closing.waive.placeholder).last().fill('Access was revoked')
    }
    await button(closing.lock.open).click()
    await page.getByRole('dialog').waitFor()
    await expectUsable(page, 'the dialog that locks a month', language)
    await dialog().getByRole('button', { name: closing.lock.submit, exact: true }).click()
    await page.getByText(anyOf(closing.state.locked_by)).waitFor()
    const statements = await (await api('finance')).statements(month)
    expect(statements.every(({ id }) => id !== null)).toBe(true)
  })

  it('is billed, once', async () => {
    const caller = await api('finance')
    const open = (await caller.statements(month)).filter(
      ({ total, payment, covered_by }) => (total ?? 0) > 0 && !payment && !covered_by,
    )
    await button(closing.bill.open).click()
    await dialog()
      .getByRole('button', { name: anyOf(closing.bill.submit_other) })
      .click()
    await dialog().getByText(anyOf(closing.bill.done_other)).waitFor()
    const billed = (await caller.statements(month)).filter(({ payment }) => payment)
    expect(billed.map(({ id }) => id).toSorted()).toEqual(open.map(({ id }) => id).toSorted())
    await dialog().getByRole('button', { name: ui.close, exact: true }).last().click()
    await tab(closing.tab.statements)
    await page
      .getByText(filled(closing.billing.payment, { number: billed[0]?.payment?.number ?? '' }))
      .waitFor()
  })

  it('stays locked while its payments stand', async () => {
    const director = await signInAs(started, 'director', language)
    await director.goto(`${started.product.origin}/ec-spend/${month}`)
    await director.getByRole('button', { name: closing.unlock.open, exact: true }).click()
    const form = director.getByRole('dialog')
    await form.getByRole('textbox').fill('Wrong rate')
    await form.getByRole('button', { name: closing.unlock.submit, exact: true }).click()
    await form.getByText(closing.unlock.refused).waitFor()
  })
})

it('a manager of another department finds neither an entry nor the page of EC spending', async () => {
  const page = await signInAs(started, 'manager', 'en')
  await page.getByRole('navigation', { name: 'Main navigation' }).waitFor()
  expect(await page.getByRole('link', { name: 'EC spending' }).count()).toBe(0)
  await page.goto(`${started.product.origin}/ec-spend`)
  await page.getByRole('heading', { name: 'This page does not exist' }).waitFor()
  const call = await callerOf(started, 'manager')
  const { status } = await call('GET', '/api/ad/ecspend/?from=2026-01&to=2026-02')
  expect(status).toBe(403)
})
