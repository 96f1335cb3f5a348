// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Quotation } from '#shared/api/quotations.ts'
import { Problem } from '#web/client/problem.ts'
import { toasts } from '#web/client/toasts.ts'
import { EditOrder } from '#web/pages/orders/edit-order.tsx'
import { NewOrder } from '#web/pages/orders/new-order.tsx'
import { agreementOf, quotationLine, quotationOf, UNIT } from '#web/pages/orders/testing/example-quotation.ts'
import { answerWith, button, listOf, openPage } from '#web/pages/orders/testing/page-router.tsx'

afterEach(() => vi.restoreAllMocks())

const QUOTATIONS = '/api/ad_insertion/quotation/'
const advertiser = {
  id: 1,
  name: 'Fjord Travel',
  agent: 2,
  billing_currency: 'USD',
  tax: 'zero_rated',
  media_billing: 'advance',
  document_language: 'en',
  payment_terms: { kind: 'days', days: 45 },
}
const others = {
  '/api/advertiser/': listOf([advertiser]),
  '/api/advertiser/1/': advertiser,
  '/api/advertiser/1/fee-agreement/': { results: [agreementOf({ currency: 'USD' })] },
  '/api/agent/': listOf([
    { id: 2, name: 'Bright Agency', is_active: true, commission_rate: 1000, commission_base: 'fee' },
    { id: 3, name: 'Old Agency', is_active: false, commission_rate: 0, commission_base: 'fee' },
  ]),
  '/api/user/': listOf([{ user_id: 4, full_name: 'Sam', username: 'sam', identity: 'staff' }]),
  '/api/ad/account/': listOf([{ id: 30, channel: 'fb', name: 'Main', external_id: '99' }]),
}

function openedNew(search = '', answers: Record<string, unknown> = {}) {
  const sent = answerWith({ ...others, ...answers })
  return { sent, location: openPage(`/customer/insertion-order/new${search}`, { create: NewOrder }) }
}

function openedDraft(fields: Partial<Quotation> = {}, answers: Record<string, unknown> = {}) {
  const draft = quotationOf({ lines: [quotationLine({ budget: 1000 * UNIT })], ...fields })
  const sent = answerWith({ ...others, [`${QUOTATIONS}7/`]: draft, ...answers })
  return { sent, location: openPage('/customer/insertion-order/7/edit', { edit: EditOrder }) }
}

const title = () => screen.findByRole<HTMLInputElement>('textbox', { name: 'Title' })
const picker = (name: string) => screen.getByRole<HTMLInputElement>('combobox', { name })

describe('a new quotation', () => {
  it('takes over what is usual for the advertiser', async () => {
    openedNew()
    await userEvent.type(await title(), 'Spring')
    await userEvent.click(picker('Advertiser'))
    await userEvent.click(await screen.findByRole('option', { name: 'Fjord Travel' }))
    await expect.poll(() => picker('Currency').value).toContain('USD')
    expect(picker('Tax').value).toBe('Zero-rated')
    expect(picker('Media').value).toBe('Advanced by the agency')
    await expect.poll(() => picker('Agent').value).toBe('Bright Agency')
    expect(screen.getByLabelText<HTMLInputElement>('Number of days').value).toBe('45')
    expect(screen.getByText('Bill to')).toBeTruthy()
  })

  it('is of the advertiser whose page has led to it, by its agreement', async () => {
    openedNew('?advertiser=1')
    await title()
    await expect.poll(() => picker('Advertiser').value).toBe('Fjord Travel')
    const rate = screen.getByLabelText<HTMLInputElement>('Line 1: Fee %')
    await expect.poll(() => rate.placeholder).toBe('15')
  })

  it('offers no agent that is closed', async () => {
    openedNew()
    await title()
    await userEvent.click(picker('Agent'))
    await screen.findByRole('option', { name: 'Bright Agency' })
    expect(screen.queryByRole('option', { name: 'Old Agency' })).toBeNull()
  })

  it('has an address of its own once it is saved', async () => {
    const made = quotationOf({ title: 'Spring' })
    const { sent, location } = openedNew('?advertiser=1', { [`post ${QUOTATIONS}`]: made })
    await userEvent.type(await title(), 'Spring')
    await userEvent.type(screen.getByLabelText('Line 1: Budget'), '1000')
    await userEvent.click(await button('Save'))
    await expect.poll(() => location().pathname).toBe('/customer/insertion-order/7/edit')
    expect(sent[0]).toMatchObject({
      method: 'post',
      path: QUOTATIONS,
      body: { title: 'Spring', advertiser: 1, currency: 'USD', lines: [{ budget: 1000 * UNIT }] },
    })
  })

  it('says what is missing where it is missing', async () => {
    const refused = new Problem({
      code: 'invalid',
      status: 400,
      fields: {
        title: ['field_required'],
        advertiser: ['field_invalid'],
        'lines.0.start': ['field_invalid'],
      },
    })
    openedNew('', { [`post ${QUOTATIONS}`]: refused })
    await title()
    await userEvent.click(await button('Save'))
    const count = await button('3 fields need attention')
    expect((await title()).getAttribute('aria-invalid')).toBe('true')
    expect(screen.getByLabelText('Line 1: Start').getAttribute('aria-invalid')).toBe('true')
    await userEvent.click(count)
    expect(document.activeElement).toBe(await title())
    await userEvent.type(await title(), 'S')
    await button('2 fields need attention')
  })

  it('is not sent with an amount that is none', async () => {
    const { sent } = openedNew('?advertiser=1')
    await title()
    await userEvent.type(screen.getByLabelText('Line 1: Budget'), '12k')
    await userEvent.click(await button('Save'))
    await button('1 field needs attention')
    expect(sent).toEqual([])
  })

  it('says that it could not be saved at all', async () => {
    openedNew('', { [`post ${QUOTATIONS}`]: new Problem({ code: 'internal_error', status: 500 }) })
    await title()
    await userEvent.click(await button('Save'))
    await expect.poll(() => toasts.get().at(-1)?.message).toMatch(/could not be saved/)
  })
})

describe('a draft', () => {
  it('has nothing to save until something has changed', async () => {
    openedDraft()
    await title()
    expect((await button('Save')).hasAttribute('disabled')).toBe(true)
    await userEvent.type(await title(), '!')
    expect((await button('Save')).hasAttribute('disabled')).toBe(false)
    expect(screen.getByText('Unsaved changes')).toBeTruthy()
  })

  it('is saved over the version that was opened', async () => {
    const saved = quotationOf({ version: 4, title: 'Changed' })
    const { sent } = openedDraft({}, { [`patch ${QUOTATIONS}7/`]: saved })
    await userEvent.clear(await title())
    await userEvent.type(await title(), 'Changed')
    await userEvent.click(await button('Save'))
    await screen.findByText('Saved')
    expect(sent[0]).toMatchObject({ method: 'patch', body: { version: 3, title: 'Changed', advertiser: 1 } })
  })

  it('is asked about on its page when it is to be sent', async () => {
    const { sent, location } = openedDraft()
    await title()
    await userEvent.click(await button('Save and send'))
    await expect.poll(() => location().href).toBe('/customer/insertion-order/7?do=send')
    expect(sent).toEqual([])
  })

  it('of a number that was given keeps its customer and currency', async () => {
    const revision = { number: 'Q2026-0001', revision: 2, label: 'Q2026-0001-2' }
    const { sent } = openedDraft(revision, { [`patch ${QUOTATIONS}7/`]: quotationOf(revision) })
    await userEvent.type(await title(), '!')
    expect(picker('Advertiser').disabled).toBe(true)
    expect(picker('Currency').disabled).toBe(true)
    await userEvent.click(await button('Save'))
    await expect.poll(() => sent[0]?.body).toMatchObject({ version: 3 })
    expect(sent[0]?.body).not.toHaveProperty('advertiser')
    expect(sent[0]?.body).not.toHaveProperty('currency')
  })

  it('that somebody else has saved meanwhile is kept or given up', async () => {
    const conflict = new Problem({ code: 'conflict', status: 409 })
    const theirs = quotationOf({ version: 9, title: 'Theirs', total: 77 * UNIT })
    let current = quotationOf()
    const { sent } = openedDraft(
      {},
      {
        [`${QUOTATIONS}7/`]: () => current,
        [`patch ${QUOTATIONS}7/`]: conflict,
      },
    )
    await userEvent.type(await title(), '!')
    current = theirs
    await userEvent.click(await button('Save'))
    const dialog = within(await screen.findByRole('dialog', { name: /Somebody else has saved/ }))
    expect(dialog.getByText('Theirs')).toBeTruthy()
    expect(dialog.getByText('NT$77')).toBeTruthy()
    await userEvent.click(dialog.getByRole('button', { name: 'Keep yours' }))
    await expect.poll(() => sent.length).toBe(2)
    expect(sent.map(({ body }) => Object(body).version)).toEqual([3, 9])
    await userEvent.click(dialog.getByRole('button', { name: 'Use the newer one' }))
    await expect.poll(async () => (await title()).value).toBe('Theirs')
    expect(screen.queryByText('Unsaved changes')).toBeNull()
  })

  it('of another state is not edited', async () => {
    openedDraft({ status: 'accepted', may: ['edit'] })
    await screen.findByText(/Only drafts can be edited/)
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull()
  })

  it('loses the accounts of its lines with its advertiser', async () => {
    const second = { ...advertiser, id: 5, name: 'Aurora', agent: null }
    const { sent } = openedDraft(
      { lines: [quotationLine({ accounts: [30], budget: UNIT })] },
      {
        '/api/advertiser/': listOf([advertiser, second]),
        '/api/advertiser/5/': second,
        [`patch ${QUOTATIONS}7/`]: quotationOf({ version: 4 }),
      },
    )
    await title()
    await screen.findByText('Main')
    await userEvent.click(picker('Advertiser'))
    await userEvent.click(await screen.findByRole('option', { name: 'Aurora' }))
    await expect.poll(() => screen.queryByText('Main')).toBeNull()
    await userEvent.click(await button('Save'))
    await expect.poll(() => sent[0]?.body).toMatchObject({ advertiser: 5, lines: [{ accounts: [] }] })
  })
})
