// @vitest-environment happy-dom
import { fireEvent, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Quotation } from '#shared/api/quotations.ts'
import { client } from '#web/client/client.ts'
import { Problem } from '#web/client/problem.ts'
import { toasts } from '#web/client/toasts.ts'
import { quotationLine, quotationOf, UNIT } from '#web/pages/orders/testing/example-quotation.ts'
import { answerWith, button, listOf, openPage } from '#web/pages/orders/testing/page-router.tsx'
import { paymentOf } from '#web/pages/payments/testing/example-payment.ts'
import { OrderPage } from './order-page.tsx'

afterEach(() => vi.restoreAllMocks())

const QUOTATIONS = '/api/ad_insertion/quotation/'
const people = listOf([
  { user_id: 4, full_name: 'Sam', username: 'sam', identity: 'staff' },
  { user_id: 5, full_name: 'Robin', username: 'robin', identity: 'manager' },
])

/** Opens an order; returns what is sent from then on, and the address. */
function opened(fields: Partial<Quotation> = {}, more: Record<string, unknown> = {}, search = '') {
  const order = quotationOf({ lines: [quotationLine({ budget: 1000 * UNIT })], ...fields })
  const sent = answerWith({
    [`${QUOTATIONS}${order.id}/`]: order,
    [`${QUOTATIONS}${order.id}/delivery/`]: {
      currency: 'TWD',
      through: '2026-11-25',
      lines: [],
      total: { media: 0, spent: null, expected: 0, pace: null, verdict: null, forecast: null },
      months: [],
    },
    '/api/ad_insertion/payment/': listOf([]),
    '/api/user/': people,
    ...more,
  })
  const location = openPage(`/customer/insertion-order/${order.id}${search}`, { order: OrderPage })
  return { sent, location, order }
}

const choose = async (name: string) => {
  await userEvent.click(await button('More actions'))
  await userEvent.click(await screen.findByRole('menuitem', { name }))
}
const dialog = (name: string) => screen.findByRole('dialog', { name })
const submit = async (name: string, label: string) =>
  userEvent.click(within(await dialog(name)).getByRole('button', { name: label }))

describe('what is next', () => {
  it.each<[string, Partial<Quotation>, string, string]>([
    ['a draft', { may: ['send', 'edit'] }, 'Send', 'Only people here can see it.'],
    [
      'one that was sent',
      { status: 'sent', label: 'Q2026-0001', valid_until: '2026-12-10', may: ['accept', 'reject'] },
      'Record acceptance',
      'Waiting for the customer, until 2026-12-10.',
    ],
    [
      'one that has expired',
      { status: 'expired', label: 'Q2026-0001', valid_until: '2026-11-01', may: ['edit', 'revise'] },
      'Change validity or owner',
      'It was valid until 2026-11-01.',
    ],
    [
      'one that was rejected',
      { status: 'rejected', label: 'Q2026-0001', reason: 'Too expensive', may: ['revise', 'copy'] },
      'Revise',
      'Too expensive',
    ],
    [
      'one that was cancelled',
      { status: 'cancelled', label: 'Q2026-0001', may: ['copy'] },
      'Copy',
      'It was cancelled.',
    ],
    [
      'one that is superseded',
      { status: 'superseded', label: 'Q2026-0001', may: ['copy'] },
      'Copy',
      'A newer revision has taken its place.',
    ],
    [
      'one that was accepted',
      {
        status: 'accepted',
        label: 'Q2026-0001',
        accepted_on: '2026-11-20',
        accepted_by: '王小明',
        may: ['revise', 'cancel'],
      },
      'Revise',
      'Accepted on 2026-11-20 by 王小明.',
    ],
  ])('of %s is said and offered', async (_, fields, action, words) => {
    opened(fields)
    expect(await button(action)).toBeTruthy()
    expect(screen.getByRole('region', { name: 'Next' }).textContent).toContain(words)
  })

  it('is nothing for whoever may only read', async () => {
    opened({ status: 'sent', label: 'Q2026-0001', may: [] })
    await screen.findByText('Waiting for the customer.')
    expect(screen.queryByRole('button', { name: 'Record acceptance' })).toBeNull()
  })

  it('is to add lines where there are none', async () => {
    opened({ lines: [] })
    expect((await button('Send')).hasAttribute('disabled')).toBe(true)
    expect(screen.getAllByText('Add lines before you send it.').length).toBeGreaterThan(0)
  })
})

describe('sending', () => {
  it('is confirmed and names the number', async () => {
    const sentOrder = quotationOf({ status: 'sent', label: 'Q2026-0001' })
    const { sent } = opened({}, { [`post ${QUOTATIONS}7/send/`]: sentOrder })
    await userEvent.click(await button('Send'))
    await submit('Send this quotation?', 'Send')
    await expect
      .poll(() => sent)
      .toEqual([{ method: 'post', path: `${QUOTATIONS}7/send/`, body: { version: 3 } }])
    await expect.poll(() => toasts.get().at(-1)?.message).toBe('Q2026-0001 sent')
  })

  it('is asked about at once where the address says so, and no longer once it is closed', async () => {
    const { location } = opened({}, {}, '?do=send')
    await dialog('Send this quotation?')
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
    await expect.poll(() => location().search).toEqual({})
  })

  it('says what the draft lacks', async () => {
    const refused = new Problem({
      code: 'invalid',
      status: 400,
      fields: { valid_until: ['field_invalid'] },
    })
    opened({}, { [`post ${QUOTATIONS}7/send/`]: refused })
    await userEvent.click(await button('Send'))
    await submit('Send this quotation?', 'Send')
    const alert = await within(await dialog('Send this quotation?')).findByRole('alert')
    expect(alert.textContent).not.toBe('')
  })

  it('is refused when somebody has changed it meanwhile', async () => {
    const conflict = new Problem({ code: 'conflict', status: 409 })
    opened({}, { [`post ${QUOTATIONS}7/send/`]: conflict })
    await userEvent.click(await button('Send'))
    await submit('Send this quotation?', 'Send')
    expect((await screen.findByRole('alert')).textContent).toMatch(/Somebody has changed this order/)
  })
})

describe('the answer of the customer', () => {
  const waiting: Partial<Quotation> = {
    status: 'sent',
    label: 'Q2026-0001',
    client_po: 'PO-1',
    may: ['accept', 'reject', 'cancel', 'edit'],
  }

  it('is an acceptance with its day and who signed', async () => {
    const { sent } = opened(waiting, { [`post ${QUOTATIONS}7/accept/`]: quotationOf(waiting) })
    await userEvent.click(await button('Record acceptance'))
    const form = within(await dialog('Record acceptance'))
    fireEvent.change(form.getByLabelText(/Accepted on/), { target: { value: '2026-11-20' } })
    await userEvent.type(form.getByLabelText(/Accepted by/), '王小明')
    await userEvent.click(form.getByRole('button', { name: 'Accept' }))
    await expect
      .poll(() => sent[0]?.body)
      .toEqual({
        version: 3,
        accepted_on: '2026-11-20',
        accepted_by: '王小明',
      })
  })

  it('is an acceptance with the signed document, as a form', async () => {
    const { sent } = opened(waiting, { [`post ${QUOTATIONS}7/accept/`]: quotationOf(waiting) })
    await userEvent.click(await button('Record acceptance'))
    const form = await dialog('Record acceptance')
    await userEvent.type(within(form).getByLabelText(/Accepted by/), '王小明')
    const po = within(form).getByLabelText('Purchase order number')
    await userEvent.clear(po)
    await userEvent.type(po, 'PO-2')
    const file = new File(['%PDF-1.7'], 'signed.pdf', { type: 'application/pdf' })
    const input = form.querySelector<HTMLInputElement>('input[type=file]') ?? document.createElement('input')
    await userEvent.upload(input, file)
    await within(form).findByText('signed.pdf')
    await userEvent.click(within(form).getByRole('button', { name: 'Accept' }))
    await expect.poll(() => sent[0]?.body).toBeInstanceOf(FormData)
    const body = sent[0]?.body as FormData
    expect([body.get('version'), body.get('accepted_by'), body.get('client_po')]).toEqual([
      '3',
      '王小明',
      'PO-2',
    ])
    expect(body.get('file')).toBeInstanceOf(File)
  })

  it('is never in the future', async () => {
    opened(waiting)
    await userEvent.click(await button('Record acceptance'))
    const form = within(await dialog('Record acceptance'))
    fireEvent.change(form.getByLabelText(/Accepted on/), { target: { value: '2999-01-01' } })
    expect(form.getByText('The day cannot be in the future.')).toBeTruthy()
  })

  it('is a rejection with a reason', async () => {
    const { sent } = opened(waiting, { [`post ${QUOTATIONS}7/reject/`]: quotationOf(waiting) })
    await choose('Record rejection')
    await userEvent.type(within(await dialog('Record rejection')).getByLabelText(/Reason/), 'Budget cut')
    await submit('Record rejection', 'Reject')
    await expect
      .poll(() => sent[0])
      .toMatchObject({
        path: `${QUOTATIONS}7/reject/`,
        body: { version: 3, reason: 'Budget cut' },
      })
  })

  it('marks the reason that is missing', async () => {
    const refused = new Problem({ code: 'invalid', status: 400, fields: { reason: ['field_required'] } })
    opened(waiting, { [`post ${QUOTATIONS}7/reject/`]: refused })
    await choose('Record rejection')
    await submit('Record rejection', 'Reject')
    const field = within(await dialog('Record rejection')).getByLabelText(/Reason/)
    await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true')
  })

  it('can be waited for longer, by another owner', async () => {
    const { sent } = opened(waiting, { [`patch ${QUOTATIONS}7/`]: quotationOf(waiting) })
    await choose('Change validity or owner')
    const form = within(await dialog('Change validity or owner'))
    fireEvent.change(form.getByLabelText('Valid until'), { target: { value: '2026-12-31' } })
    await userEvent.click(form.getByRole('combobox', { name: 'Owner' }))
    await userEvent.click(await screen.findByRole('option', { name: 'Robin' }))
    await userEvent.click(form.getByRole('button', { name: 'Save' }))
    await expect
      .poll(() => sent[0]?.body)
      .toEqual({
        version: 3,
        valid_until: '2026-12-31',
        owner: 5,
        internal_note: '',
      })
  })
})

describe('an accepted order', () => {
  const accepted: Partial<Quotation> = {
    status: 'accepted',
    label: 'Q2026-0001',
    number: 'Q2026-0001',
    accepted_on: '2026-11-20',
    accepted_by: '王小明',
    total: 1050 * UNIT,
    may: ['cancel', 'edit', 'revise', 'copy'],
  }

  it('is cancelled with what becomes of its payments in words', async () => {
    const { sent } = opened(accepted, { [`post ${QUOTATIONS}7/cancel/`]: quotationOf(accepted) })
    await choose('Cancel order')
    expect((await dialog('Cancel this order?')).textContent).toContain('Its payments become void.')
    await submit('Cancel this order?', 'Cancel order')
    await expect.poll(() => sent[0]?.body).toEqual({ version: 3, reason: '' })
  })

  it('keeps its days, though not its owner and note', async () => {
    opened(accepted)
    await choose('Change validity or owner')
    const form = within(await dialog('Change validity or owner'))
    expect(form.queryByLabelText('Valid until')).toBeNull()
    expect(form.getByLabelText('Internal note')).toBeTruthy()
  })

  it('is revised in the editor', async () => {
    const draft = quotationOf({ id: 8, revision: 2 })
    const { location } = opened(accepted, { [`post ${QUOTATIONS}7/revise/`]: draft })
    await userEvent.click(await button('Revise'))
    expect((await dialog('Revise this order?')).textContent).toContain('stays in force')
    await submit('Revise this order?', 'Revise')
    await expect.poll(() => location().pathname).toBe('/customer/insertion-order/8/edit')
  })

  it('is asked for again where void payments have left something open', async () => {
    const { sent } = opened(accepted, { 'post /api/ad_insertion/payment/': { number: 'P2026-0002' } })
    await userEvent.click(await button('Ask for the rest'))
    const form = within(await dialog('Ask for the rest'))
    expect(form.getByText('Void payments have left NT$1,050 of the order open.')).toBeTruthy()
    fireEvent.change(form.getByLabelText(/Due on/), { target: { value: '2026-12-31' } })
    await userEvent.click(form.getByRole('button', { name: 'Ask for the rest' }))
    await expect.poll(() => sent[0]?.body).toEqual({ quotation: 7, due_on: '2026-12-31' })
  })
})

describe('a draft', () => {
  it('opens in the editor', async () => {
    const { location } = opened()
    await userEvent.click(await button('Edit'))
    await expect.poll(() => location().pathname).toBe('/customer/insertion-order/7/edit')
  })

  it('is deleted after a question', async () => {
    const { sent, location } = opened()
    await choose('Delete')
    await submit('Delete this draft?', 'Delete')
    await expect
      .poll(() => sent[0])
      .toEqual({
        method: 'delete',
        path: `${QUOTATIONS}7/`,
        body: { version: 3 },
      })
    await expect.poll(() => location().pathname).toBe('/customer/insertion-order')
  })

  it('is copied into another draft', async () => {
    const { location } = opened({}, { [`post ${QUOTATIONS}7/copy/`]: quotationOf({ id: 9 }) })
    await choose('Copy')
    await expect.poll(() => location().pathname).toBe('/customer/insertion-order/9/edit')
  })
})

describe('what the page says', () => {
  it('are both sides as they were when it was sent, with the agent that is billed', async () => {
    opened({
      status: 'sent',
      label: 'Q2026-0001',
      bill_to: 'agent',
      parties: {
        issuer: {
          name: 'Sheetcast Media',
          tax_id: '04595252',
          jp_tax_id: 'T7000012050002',
          address: 'Taipei',
          phone: '',
          bank: '',
        },
        buyer: { name: 'Bright Agency', tax_id: '10458570', address: 'Tainan' },
        advertiser: 'Fjord Travel',
      },
    })
    await screen.findByText('Sheetcast Media')
    expect(screen.getByText('Tax ID 04595252')).toBeTruthy()
    expect(screen.getByText('Bright Agency')).toBeTruthy()
    expect(screen.getByText('Fjord Travel')).toBeTruthy()
  })

  it('is the number of a qualified invoice for Japan', async () => {
    const issuer = { name: 'Sheetcast', tax_id: '04595252', jp_tax_id: 'T7000012050002' }
    const parties = {
      issuer: { ...issuer, address: '', phone: '', bank: '' },
      buyer: { name: 'Sakura', tax_id: '', address: '' },
      advertiser: 'Sakura',
    }
    opened({ status: 'sent', label: 'Q2026-0001', tax: 'jp_ct', currency: 'JPY', parties })
    expect(await screen.findByText('Tax ID T7000012050002')).toBeTruthy()
  })

  it('is what has happened, the latest first', async () => {
    opened({
      status: 'rejected',
      label: 'Q2026-0001',
      reason: 'Too expensive',
      sent_at: '2026-11-03T01:00:00.000Z',
    })
    const history = (await screen.findByRole('heading', { name: 'History' })).closest('section')
    const events = within(history ?? document.body).getAllByRole('listitem')
    expect(events.map(event => event.querySelector('strong')?.textContent)).toEqual([
      'Rejected',
      'Sent',
      'Draft made',
    ])
  })

  it('are terms and the note that only people here read', async () => {
    opened({ terms: 'Net 30', internal_note: 'Ask for a larger budget' })
    await screen.findByText('Net 30')
    expect(screen.getByText('Ask for a larger budget')).toBeTruthy()
  })

  it('is that an order does not exist', async () => {
    answerWith({})
    openPage('/customer/insertion-order/99', { order: OrderPage })
    expect(await screen.findByText('This order does not exist')).toBeTruthy()
  })
})

describe('revisions', () => {
  const before = quotationOf({
    id: 6,
    label: 'Q2026-0001',
    total: 1155 * UNIT,
    lines: [quotationLine({ title: 'A', budget: 1000 * UNIT, fee: 100 * UNIT })],
  })
  const after: Partial<Quotation> = {
    revision: 2,
    label: 'Q2026-0001-2',
    status: 'sent',
    total: 2310 * UNIT,
    lines: [
      quotationLine({ title: 'A', budget: 2000 * UNIT, fee: 200 * UNIT }),
      quotationLine({ channel: 'aw', title: 'Search', budget: 5 * UNIT }),
    ],
    revisions: [
      { id: 7, revision: 2, status: 'sent', total: 2310 * UNIT, sent_at: null },
      { id: 6, revision: 1, status: 'superseded', total: 1155 * UNIT, sent_at: null },
    ],
  }

  it('are listed, and compared with their sums and lines', async () => {
    const { location } = opened(after, { [`${QUOTATIONS}6/`]: before })
    await userEvent.click(await button('Compare'))
    const rows = within(await dialog('Differences'))
    await rows.findByText('NT$1,155')
    expect(rows.getByText('NT$2,310')).toBeTruthy()
    expect(rows.getByText('Budget NT$1,000')).toBeTruthy()
    expect(rows.getByText('Budget NT$2,000')).toBeTruthy()
    expect(rows.getByText('Google Ads · Search').textContent).toBe('Google Ads · SearchAdded')
    expect(location().search).toEqual({ compare: 6 })
    await userEvent.keyboard('{Escape}')
    await expect.poll(() => location().search).toEqual({})
  })

  it('of which nothing differs say so', async () => {
    const same = { ...after, total: before.total, lines: before.lines }
    opened(same, { [`${QUOTATIONS}6/`]: before }, '?compare=6')
    expect(await screen.findByText('Lines and sums are the same.')).toBeTruthy()
  })

  it('are not listed where there is one alone', async () => {
    opened()
    await button('Send')
    expect(screen.queryByRole('heading', { name: 'Revisions' })).toBeNull()
  })
})

describe('the lines', () => {
  it('have their days, price and fee, and what they are delivered in', async () => {
    opened({
      lines: [
        quotationLine({
          channel: null,
          publisher: '自由時報',
          title: 'Banner',
          description: 'Run of site',
          pricing: 'cpm',
          quantity: 833_333,
          unit_price: 120 * UNIT,
          budget: 100_000 * UNIT,
          fee: 10_000 * UNIT,
          fee_rate: 1000,
        }),
        quotationLine({ budget: 5 * UNIT, accounts: [1, 2], fee_basis: 'within' }),
      ],
    })
    const table = within(await screen.findByRole('table', { name: 'Lines' }))
    const [, first, second] = table.getAllByRole('row')
    for (const text of [
      '自由時報 · Banner',
      'Run of site',
      'CPM',
      '833,333 × 120',
      '10% on top',
      'NT$100,000',
    ])
      expect(first?.textContent).toContain(text)
    for (const text of ['Meta ads', '2 accounts', '15% included', '2026-11-01 – 2026-11-30'])
      expect(second?.textContent).toContain(text)
  })
})

describe('the documents', () => {
  const documents = async () => {
    await userEvent.click(await button('More actions'))
    const items = await screen.findAllByRole('menuitem')
    return items.map(item => item.textContent)
  }

  it('of a draft are a preview', async () => {
    opened({ may: [] })
    expect(await documents()).toEqual(['Preview PDF'])
  })

  it('of an order are its PDF and what the customer has signed', async () => {
    opened({ status: 'sent', label: 'Q2026-0001', has_acceptance_file: true, may: [] })
    expect(await documents()).toEqual(['Preview PDF', 'Download PDF', 'Signed document'])
  })

  it('that could not be fetched say so', async () => {
    vi.spyOn(client, 'raw').mockRejectedValue(new Problem({ code: 'internal_error', status: 500 }))
    opened({ status: 'sent', label: 'Q2026-0001', may: [] })
    await choose('Download PDF')
    await expect.poll(() => toasts.get().at(-1)?.severity).toBe('error')
  })
})

describe('the trail', () => {
  it('is open to superusers alone', async () => {
    opened({ may: [] })
    const link = await screen.findByRole('link', { name: 'Audit trail' })
    expect(link.getAttribute('href')).toMatch(/object=quotation&object_id=(%22)?7/)
  })

  it('is not open to others', async () => {
    answerWith({ [`${QUOTATIONS}7/`]: quotationOf() })
    openPage('/customer/insertion-order/7', { order: OrderPage }, { identity: 'manager' })
    await screen.findByRole('heading', { name: 'History' })
    expect(screen.queryByRole('link', { name: 'Audit trail' })).toBeNull()
  })
})

it('has its payments, each opened at an address of its own', async () => {
  const accepted = {
    status: 'accepted' as const,
    label: 'Q2026-0001',
    accepted_on: '2026-11-20',
    total: 88_988 * UNIT,
    may: [],
  }
  const { location } = opened(accepted, { '/api/ad_insertion/payment/': listOf([paymentOf()]) })
  await userEvent.click(await button('P2026-0001'))
  await expect.poll(() => location().search).toEqual({ payment: 5 })
  await screen.findByRole('dialog')
  expect(screen.queryByRole('button', { name: 'Ask for the rest' })).toBeNull()
  await userEvent.keyboard('{Escape}')
  await expect.poll(() => location().search).toEqual({})
})
