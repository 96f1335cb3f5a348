// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { client } from '#web/client/client.ts'
import { Orders } from './orders.tsx'
import { quotationOf, UNIT } from './testing/example-quotation.ts'
import { answerWith, button, listOf, openPage } from './testing/page-router.tsx'

afterEach(() => vi.restoreAllMocks())

const QUOTATIONS = '/api/ad_insertion/quotation/'

const draft = quotationOf({ id: 1, title: 'Spring' })
const sent = quotationOf({
  id: 2,
  title: 'Summer',
  status: 'sent',
  label: 'Q2026-0002',
  valid_until: '2026-12-10',
  agent_name: 'Bright Agency',
  total: 296_624 * UNIT,
})
const accepted = quotationOf({ id: 3, title: 'Autumn', status: 'accepted', label: 'Q2026-0003' })
const sums = [
  { status: 'draft', currency: 'TWD', count: 2, total: 1000 * UNIT },
  { status: 'draft', currency: 'USD', count: 1, total: 12_500_000 },
  { status: 'sent', currency: 'TWD', count: 4, total: 296_624 * UNIT },
]

function opened(search = '', rows = [draft, sent, accepted]) {
  answerWith({
    [QUOTATIONS]: listOf(
      rows.map(row => ({ ...row, start: '2026-11-01', end: '2026-11-30', is_overdue: row.id === 3 })),
      { sums },
    ),
    '/api/advertiser/': listOf([{ id: 1, name: 'Fjord Travel' }]),
    '/api/agent/': listOf([{ id: 2, name: 'Bright Agency', is_active: false }]),
    '/api/user/': listOf([
      { user_id: 4, full_name: 'Sam', username: 'sam', identity: 'staff' },
      { user_id: 5, full_name: 'Client', username: 'client', identity: 'external_user' },
    ]),
  })
  return openPage(`/customer/insertion-order${search}`, { list: Orders })
}

const rowOf = async (name: string) => within((await screen.findByText(name)).closest('tr') ?? document.body)
/** What the list was last filtered by. */
const lastQuery = () =>
  vi
    .mocked(client.get)
    .mock.calls.filter(([path]) => path === QUOTATIONS)
    .at(-1)?.[1]?.query

describe('the list of orders', () => {
  it('names each order, its customer, its state and what is next', async () => {
    opened()
    const row = await rowOf('Summer')
    expect(row.getByText('Q2026-0002')).toBeTruthy()
    expect(row.getAllByText('via Bright Agency').length).toBeGreaterThan(0)
    expect(row.getByText('NT$296,624')).toBeTruthy()
    expect(row.getByText('2026-12-10')).toBeTruthy()
    expect(row.getAllByRole('link', { name: 'Record the answer' })[0]?.getAttribute('href')).toBe(
      '/customer/insertion-order/2',
    )
    expect((await rowOf('Spring')).getByText('Not sent yet')).toBeTruthy()
  })

  it('leads from a draft to sending it', async () => {
    opened()
    const [link] = (await rowOf('Spring')).getAllByRole('link', { name: 'Send it' })
    expect(link?.getAttribute('href')).toBe('/customer/insertion-order/1?do=send')
  })

  it('marks orders of which a payment is overdue', async () => {
    opened()
    await expect
      .poll(async () => (await rowOf('Autumn')).queryAllByText('Payment overdue').length)
      .toBeGreaterThan(0)
    expect((await rowOf('Summer')).queryByText('Payment overdue')).toBeNull()
  })

  it('invites to write the first one', async () => {
    opened('', [])
    await screen.findByText('No insertion orders yet')
    const links = screen.getAllByRole('link', { name: 'Write a quotation' })
    expect(links.map(link => link.getAttribute('href'))).toEqual([
      '/customer/insertion-order/new',
      '/customer/insertion-order/new',
    ])
  })

  it('offers to clear the filters where nothing is found', async () => {
    const location = opened('?search=zebra&status=sent&currency=USD', [])
    await screen.findByText('No orders match the filters.')
    await userEvent.click(screen.getAllByRole('button', { name: 'Clear filters' }).at(-1) ?? document.body)
    await expect.poll(() => location().search).toEqual({ search: '', page: 1 })
  })
})

describe('the states', () => {
  it('have how many are in each, and what the chosen ones amount to', async () => {
    const location = opened()
    await rowOf('Spring')
    const states = within(screen.getByRole('group', { name: 'State' }))
    expect(states.getAllByRole('button').map(each => each.textContent)).toEqual([
      'All7',
      'Draft3',
      'Sent4',
      'Expired0',
      'Accepted0',
      'Rejected0',
      'Cancelled0',
      'Superseded0',
    ])
    const totals = () => screen.getByText('Total of these orders').parentElement?.textContent
    expect(totals()).toBe('Total of these ordersNT$297,624$12.50')
    await userEvent.click(states.getByRole('button', { name: /^Draft/ }))
    await expect.poll(() => location().search).toMatchObject({ status: 'draft' })
    await expect.poll(totals).toBe('Total of these ordersNT$1,000$12.50')
    expect(lastQuery()).toMatchObject({ status: 'draft', limit: 10, offset: 0 })
  })
})

describe('the filters', () => {
  it('are in the address, and the first page with them', async () => {
    const location = opened('?page=2')
    await rowOf('Spring')
    await userEvent.click(await button('Filters'))
    await userEvent.click(screen.getByRole('combobox', { name: 'Agent' }))
    await userEvent.click(await screen.findByRole('option', { name: 'Bright Agency' }))
    await expect.poll(() => location().search).toMatchObject({ agent: 2, page: 1 })
    expect(lastQuery()).toMatchObject({ agent: 2, offset: 0 })
    await button('Filters (1)')
  })

  it('are open where the address has some, and offer the agency’s own people as owners', async () => {
    opened('?owner=4')
    await rowOf('Spring')
    const owner = screen.getByRole<HTMLInputElement>('combobox', { name: 'Owner' })
    await expect.poll(() => owner.value).toBe('Sam')
    await userEvent.click(owner)
    await screen.findByRole('option', { name: 'Sam' })
    expect(screen.queryByRole('option', { name: 'Client' })).toBeNull()
  })

  it('are taken back one by one', async () => {
    const location = opened('?currency=USD')
    await rowOf('Spring')
    await userEvent.click(screen.getByRole('combobox', { name: 'Currency' }))
    await userEvent.click(await screen.findByRole('option', { name: 'Any currency' }))
    await expect.poll(() => location().search).toEqual({ search: '', page: 1 })
  })
})

it('orders by what is clicked', async () => {
  const location = opened()
  await rowOf('Spring')
  await userEvent.click(await button('Total'))
  await expect.poll(() => location().search).toMatchObject({ ordering: 'total' })
  await userEvent.click(await button('Total'))
  await expect.poll(() => location().search).toMatchObject({ ordering: '-total' })
})
