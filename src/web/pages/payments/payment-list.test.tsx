// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Payment } from '#shared/api/payments.ts'
import { client } from '#web/client/client.ts'
import { toasts } from '#web/client/toasts.ts'
import { answerWith, button, listOf, openPage } from '#web/pages/orders/testing/page-router.tsx'
import { Payments } from './payments.tsx'
import { paymentOf, receiptOf, UNIT } from './testing/example-payment.ts'

afterEach(() => vi.restoreAllMocks())

const PAYMENTS = '/api/ad_insertion/payment/'
const late = paymentOf({ status: 'overdue', due_on: '2020-01-01' })
const paid = paymentOf({
  id: 6,
  number: 'P2026-0002',
  status: 'paid',
  received: 88_988 * UNIT,
  paid_on: '2026-11-20',
  invoice_number: 'AB12345678',
  may: ['edit'],
})
const ofMonth = paymentOf({
  id: 7,
  number: 'P2026-0003',
  quotation: null,
  quotation_label: null,
  month: '2026-10',
})
const gone = paymentOf({ id: 8, number: 'P2026-0004', status: 'void', reason: 'Asked twice', may: [] })
const sums = [
  { status: 'overdue', currency: 'TWD', count: 1, amount: 88_988 * UNIT, open: 88_988 * UNIT },
  { status: 'due', currency: 'TWD', count: 3, amount: 100 * UNIT, open: 60 * UNIT },
]
const ages = [
  { age: 'not_due', currency: 'TWD', count: 3, open: 60 * UNIT },
  { age: 'over_90', currency: 'TWD', count: 1, open: 88_988 * UNIT },
  { age: '31_60', currency: 'USD', count: 1, open: 12_500_000 },
]

function opened(search = '', { one, rows = [late, paid, ofMonth, gone], ...more }: Opened = {}) {
  const sent = answerWith({
    [PAYMENTS]: (query: object) =>
      'due_to' in query && 'limit' in query && query.limit === 1
        ? listOf([], { count: 2, sums: [{ ...sums[1], count: 2 }], ages: [] })
        : listOf(rows, { sums, ages }),
    ...(one && { [`${PAYMENTS}${one.id}/`]: one }),
    ...more,
  })
  return { sent, location: openPage(`/customer/insertion-order/payments${search}`, { payments: Payments }) }
}
interface Opened {
  one?: Payment
  rows?: Payment[]
  [answer: string]: unknown
}

const rowOf = async (number: string) => within((await button(number)).closest('tr') ?? document.body)

describe('the list of payments', () => {
  it('names what each is for, what is late, what is paid and what is left', async () => {
    opened()
    const row = await rowOf('P2026-0001')
    expect(row.getAllByText(/days overdue$/).length).toBeGreaterThan(0)
    expect(row.getAllByText('Q2026-0001').length).toBeGreaterThan(0)
    expect(row.getAllByText('NT$88,988')).toHaveLength(2)
    const other = await rowOf('P2026-0002')
    expect(other.getAllByText('Paid on 2026-11-20').length).toBeGreaterThan(0)
    expect(other.getByText('AB12345678')).toBeTruthy()
    expect(other.getByText('NT$0')).toBeTruthy()
    expect((await rowOf('P2026-0003')).getAllByText('Spending of 2026-10').length).toBeGreaterThan(0)
  })

  it('is divided by what is to be done next', async () => {
    const { location } = opened()
    await rowOf('P2026-0001')
    const groups = within(screen.getByRole('group', { name: 'Payments' }))
    await expect
      .poll(() => groups.getAllByRole('button').map(each => each.textContent))
      .toEqual(['All4', 'Overdue1', 'Due this week2', 'Not due yet3', 'Paid0', 'Void0'])
    expect(screen.getByText('Left to receive', { selector: 'p span' }).parentElement?.textContent).toBe(
      'Left to receiveNT$89,048',
    )
    await userEvent.click(groups.getByRole('button', { name: /^Due this week/ }))
    await expect.poll(() => location().search).toMatchObject({ group: 'week' })
    const [, request] = vi.mocked(client.get).mock.calls.at(-1) ?? []
    expect(request?.query).toMatchObject({ status: 'due', ordering: 'due_on' })
  })

  it('has a chart of what is open by age, one currency at a time', async () => {
    opened()
    await screen.findByRole('figure', { name: 'Open payments in TWD by days overdue' })
    await userEvent.click(screen.getByRole('radio', { name: 'USD' }))
    await screen.findByRole('figure', { name: 'Open payments in USD by days overdue' })
    await userEvent.click(await button('Show as table'))
    expect(screen.getByText('$12.50')).toBeTruthy()
  })

  it('says that there are none yet, or none that match', async () => {
    opened('', { rows: [] })
    expect(await screen.findByText('No payments yet')).toBeTruthy()
  })

  it('says that none match the filters, and clears them', async () => {
    const { location } = opened('?currency=EUR', { rows: [] })
    await screen.findByText('No payments match the filters.')
    await userEvent.click(screen.getAllByRole('button', { name: 'Clear filters' }).at(-1) ?? document.body)
    await expect.poll(() => location().search).toEqual({ search: '', page: 1 })
  })
})

describe('one payment', () => {
  it('is opened over the list, at an address of its own', async () => {
    const { location } = opened('', { one: late })
    await userEvent.click(await button('P2026-0001'))
    const drawer = within(await screen.findByRole('dialog', { name: 'Payment P2026-0001' }))
    await drawer.findByText('Left to receive')
    expect(drawer.getAllByText('NT$88,988').length).toBeGreaterThan(1)
    expect(drawer.getByText('NT$4,238')).toBeTruthy()
    expect(location().search).toMatchObject({ payment: 5 })
    await userEvent.keyboard('{Escape}')
    await expect.poll(() => location().search).toEqual({ search: '', page: 1 })
  })

  it('is void with its reason, and nothing is owed', async () => {
    opened('?payment=8', { one: gone })
    const drawer = within(await screen.findByRole('dialog', { name: 'Payment P2026-0004' }))
    await drawer.findByText('Void: Asked twice')
    expect(drawer.queryByText('Left to receive')).toBeNull()
    expect(drawer.queryByRole('button', { name: 'Void payment' })).toBeNull()
  })

  it('is voided with a reason', async () => {
    const { sent } = opened('?payment=5', { one: late, [`post ${PAYMENTS}5/void/`]: gone })
    await userEvent.click(await button('Void payment'))
    const dialog = within(await screen.findByRole('dialog', { name: 'Void this payment?' }))
    await userEvent.type(dialog.getByLabelText(/Reason/), 'Asked twice')
    await userEvent.click(dialog.getByRole('button', { name: 'Void payment' }))
    await expect
      .poll(() => sent[0])
      .toEqual({
        method: 'post',
        path: `${PAYMENTS}5/void/`,
        body: { version: 2, reason: 'Asked twice' },
      })
    await expect.poll(() => toasts.get().at(-1)?.message).toBe('Payment P2026-0004 is void')
  })

  it('is only read by whoever may not change it', async () => {
    opened('?payment=5', { one: { ...late, may: [], receipts: [receiptOf()] } })
    const drawer = within(await screen.findByRole('dialog', { name: 'Payment P2026-0001' }))
    await drawer.findByText('Finance and directors record invoices and receipts.')
    const names = drawer.getAllByRole('button').map(each => each.textContent)
    expect(names).toEqual(['', 'Download PDF'])
  })

  it('that does not exist says so', async () => {
    opened('?payment=99')
    expect(await screen.findByText('This payment does not exist')).toBeTruthy()
  })
})
