// @vitest-environment happy-dom
import 'temporal-polyfill/global'
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { Problem } from '#web/client/problem.ts'
import { drawAt } from '#web/testing/draw-for.tsx'
import { listOf, serve } from '#web/testing/fake-server.ts'
import { aurora, beauty } from '#web/pages/customers/testing/samples.ts'
import { spend, spendRow } from './testing/samples.ts'
import { EcSpendPage } from './ec-spend.tsx'

const user = userEvent
const PATH = 'GET /api/ad/ecspend/'

/** The page from September to November 2026, on the 26th of November. */
function drawn(search: object = {}, answers: Readonly<Record<string, unknown>> = {}) {
  vi.setSystemTime('2026-11-26T04:00:00Z')
  onTestFinished(() => void vi.useRealTimers())
  const calls = serve({
    [PATH]: spend,
    'GET /api/industry/': listOf([beauty]),
    'GET /api/advertiser/': listOf([aurora]),
    ...answers,
  })
  const went = drawAt(
    <EcSpendPage />,
    { path: '/ec-spend/', search: { from: '2026-09', to: '2026-11', ...search } },
    { identity: 'staff', department: 7 },
  )
  return { went, calls }
}

const table = () => screen.findByRole('table', { name: 'Media by month in TWD' })
const cellsOf = (row: HTMLElement) =>
  within(row)
    .getAllByRole('cell')
    .map(cell => cell.textContent)
const row = async (name: string) => within(await table()).getByRole('row', { name: new RegExp(`^${name}`) })

describe('spending by month', () => {
  it('asks for the last twelve months, in the channels that advertisers open into', async () => {
    const { calls } = drawn({ from: undefined, to: undefined })
    await table()
    expect(calls.find(({ path }) => path === '/api/ad/ecspend/')?.query).toEqual({
      from: '2025-12',
      to: '2026-11',
      advertiser: undefined,
      industry: undefined,
      channel: undefined,
      group: 'channel',
      convert: false,
    })
  })

  it('asks for 36 months at most', async () => {
    const { calls } = drawn({ from: '2020-01', to: '2026-11' })
    await table()
    expect(calls.find(({ path }) => path === '/api/ad/ecspend/')?.query?.from).toBe('2023-12')
  })

  it('has the advertisers, the largest first, whose rows and columns add up', async () => {
    drawn()
    expect(cellsOf(await row('.*Aurora'))).toEqual(['100,000', '150,000', '80,000', '330,000'])
    expect(cellsOf(await row('.*Borealis')).slice(0, 2)).toEqual(['50,000', '40,000'])
    expect(cellsOf(await row('Total')).slice(0, 2)).toEqual(['150,000', '190,000'])
  })

  it('shows what is not known with its reason, never as 0', async () => {
    drawn()
    const [, , november, sum] = cellsOf(await row('.*Borealis'))
    expect(november).toBe('— The spend of some days is not known yet')
    expect(sum).toBe('90,000* Without amounts that are not known yet')
  })

  it('has accounts of nobody below the total, in the currency of the accounts', async () => {
    drawn()
    expect(cellsOf(await row('.*Unassigned accounts · TWD'))).toEqual(['', '700', '', '700'])
  })

  it('marks locked months in words, and leads to each month', async () => {
    drawn()
    const heads = within(await table()).getAllByRole('columnheader')
    expect(heads.map(head => head.textContent?.trim())).toEqual([
      'Advertisers',
      'Sep 2026 Locked',
      'Oct 2026Open',
      'Nov 2026So far',
      'Sum',
    ])
    expect(screen.getByRole('link', { name: 'Oct 2026' }).getAttribute('href')).toBe('/ec-spend/2026-10')
  })

  it('leads to the month that is to be closed next', async () => {
    drawn()
    const link = await screen.findByRole('link', { name: 'Close Oct 2026' })
    expect(link.getAttribute('href')).toBe('/ec-spend/2026-10')
  })

  it('offers the last month that is over where nothing is locked yet', async () => {
    const months = spend.months.map(month => ({ ...month, state: 'open' as const }))
    drawn({}, { [PATH]: { ...spend, months } })
    expect((await screen.findByRole('link', { name: 'Close Oct 2026' })).isConnected).toBe(true)
  })

  it('says how recent it is, and what is still to come', async () => {
    drawn({}, { [PATH]: { ...spend, waiting: 2 } })
    expect((await screen.findByText(/Data as of/)).textContent).toContain(
      '2 accounts are still being fetched.',
    )
  })
})

describe('an advertiser', () => {
  const accounts = {
    ...spend,
    rows: [
      spendRow({ media: 70_000, month: '2026-10', ad_account: 11, account_name: 'Aurora Taiwan' }),
      spendRow({ media: 50_000, month: '2026-10', ad_account: 12, account_name: 'Aurora Outlet' }),
      spendRow({ media: -500, month: '2026-10' }),
      spendRow({ media: 30_000, month: '2026-10', channel: 'aw', ad_account: 13, account_name: 'Search' }),
    ],
  }
  const open = async (name: string) =>
    user.click(await screen.findByRole('button', { name: `Show what ${name} consists of` }))

  it('opens into its channels, and a channel into its accounts, by keyboard as well', async () => {
    const { calls } = drawn(
      {},
      { [PATH]: ({ query }: { query: { group: string } }) => (query.group === 'account' ? accounts : spend) },
    )
    await open('Aurora')
    expect(cellsOf(await row('.*Meta ads'))).toEqual(['100,000', '120,000', '80,000', '300,000'])
    screen.getByRole('button', { name: 'Show what Meta ads consists of' }).focus()
    await user.keyboard('{Enter}')
    await screen.findByText('Aurora Outlet')
    expect(calls.at(-1)?.query).toMatchObject({ advertiser: 1, group: 'account' })
    expect(cellsOf(await row('.*Aurora Taiwan'))).toEqual(['', '70,000', '', '70,000'])
    expect(cellsOf(await row('Adjustments'))).toEqual(['', '-500', '', '-500'])
    expect(screen.queryByText('Search', { selector: 'span' })).toBeNull()
  })

  it('closes again', async () => {
    drawn()
    await open('Aurora')
    await user.click(screen.getByRole('button', { name: 'Hide what Aurora consists of' }))
    expect(screen.queryByText('Meta ads', { selector: 'th span' })).toBeNull()
  })

  it('says why its accounts cannot be shown', async () => {
    const refused = new Problem({ code: 'internal_error', status: 500 })
    drawn(
      {},
      { [PATH]: ({ query }: { query: { group: string } }) => (query.group === 'account' ? refused : spend) },
    )
    await open('Aurora')
    await open('Meta ads')
    expect((await screen.findByRole('button', { name: /again/i })).isConnected).toBe(true)
  })
})

describe('what is shown', () => {
  it('is one currency at a time', async () => {
    const { went } = drawn()
    await table()
    await user.click(screen.getByRole('radio', { name: 'USD' }))
    expect(went).toMatchObject([{ search: { currency: 'USD' } }])
  })

  it('is the other currency where the address says so', async () => {
    drawn({ currency: 'USD' })
    const media = await screen.findByRole('table', { name: 'Media by month in USD' })
    expect(cellsOf(within(media).getByRole('row', { name: /^Total/ }))[1]).toBe('9,000.00')
  })

  it('is the media, the fee or the total with tax', async () => {
    const { went } = drawn({ measure: 'fee' })
    const media = await screen.findByRole('table', { name: 'Service fee by month in TWD' })
    expect(cellsOf(within(media).getByRole('row', { name: /^Total/ })).slice(0, 2)).toEqual([
      '22,500',
      '28,500',
    ])
    await user.click(screen.getByRole('radio', { name: 'Total with tax' }))
    expect(went).toMatchObject([{ search: { measure: 'total' } }])
  })

  it('is by channel on request', async () => {
    const { went } = drawn({ group: 'channel' })
    await screen.findByRole('button', { name: 'Show what Meta ads consists of' })
    await user.click(screen.getByRole('radio', { name: 'Advertisers' }))
    expect(went).toMatchObject([{ search: { from: '2026-09', to: '2026-11' } }])
  })

  it('has figures of the last month that is over, with the change to the one before', async () => {
    drawn()
    const figures = within(await screen.findByRole('region', { name: 'Amounts of Oct 2026' }))
    expect(figures.getByText('NT$190,000').textContent).not.toBe('')
    expect(figures.getByText(/26\.7% more/).textContent).toBe('26.7% more')
    expect(figures.getByText('Media in Nov 2026 so far').textContent).not.toBe('')
    expect(figures.getByText('$9,000.00').textContent).not.toBe('')
  })

  it('is everything in the base currency on request', async () => {
    const { went, calls } = drawn({ currency: 'USD' })
    await screen.findByRole('table', { name: 'Media by month in USD' })
    await user.click(screen.getByRole('switch', { name: 'In base currency' }))
    expect(went).toEqual([
      expect.objectContaining({ search: { from: '2026-09', to: '2026-11', convert: true } }),
    ])
    expect(calls.some(({ query }) => query?.convert === true)).toBe(false)
  })
})

describe('two months', () => {
  it('stand beside each other with the difference, and what is not known is not compared', async () => {
    drawn({ a: '2026-10', b: '2026-11' })
    const media = within(await screen.findByRole('table', { name: 'Oct 2026 and Nov 2026' }))
    const cells = cellsOf(media.getByRole('row', { name: /^Aurora/ }))
    expect(cells).toEqual(['150,000', '80,000', '-70,000', '↓ 46.7%46.7% less'])
    expect(cellsOf(media.getByRole('row', { name: /^Borealis/ })).slice(2)).toEqual(['—', '—'])
  })

  it('are at first the last two that are over', async () => {
    const { went } = drawn()
    await table()
    await user.click(screen.getByRole('button', { name: 'Compare two months' }))
    expect(went).toMatchObject([{ search: { a: '2026-09', b: '2026-10' } }])
  })

  it('give way to all months again', async () => {
    const { went } = drawn({ a: '2026-10', b: '2026-11' })
    await user.click(await screen.findByRole('button', { name: 'Show all months' }))
    expect(went).toEqual([expect.objectContaining({ search: { from: '2026-09', to: '2026-11' } })])
  })
})

describe('where there is nothing', () => {
  const nothing = { ...spend, rows: [], totals: [] }

  it('it says that accounts have to be related first', async () => {
    drawn({}, { [PATH]: nothing })
    await screen.findByText('Relate ad accounts first')
    const link = screen.getByRole('link', { name: 'Go to advertisers' })
    expect(link.getAttribute('href')).toMatch(/^\/customer\/advertiser\?/)
  })

  it('it offers to clear the filters', async () => {
    const { went } = drawn({ advertiser: 1 }, { [PATH]: nothing })
    await user.click(await screen.findByRole('button', { name: 'Clear filters' }))
    expect(went).toEqual([expect.objectContaining({ search: { from: '2026-09', to: '2026-11' } })])
  })

  it('it says what went wrong, and tries again', async () => {
    const answers = [new Problem({ code: 'internal_error', status: 500 }), spend]
    drawn({}, { [PATH]: () => answers.shift() })
    await user.click(await screen.findByRole('button', { name: /again/i }))
    expect((await table()).isConnected).toBe(true)
  })
})

describe('the accounts of one month', () => {
  const accounts = {
    ...spend,
    rows: [
      spendRow({ media: 70_000, month: '2026-10', ad_account: 11, account_name: 'Aurora Taiwan' }),
      spendRow({ media: 50_000, month: '2026-10', ad_account: 12, account_name: 'Aurora Outlet' }),
      spendRow({ media: -500, month: '2026-10' }),
    ],
  }
  const oneMonth = { from: '2026-10', to: '2026-10', group: 'account' }

  it('are asked for, and listed', async () => {
    const { calls } = drawn(oneMonth, { [PATH]: accounts })
    expect(cellsOf(await row('Aurora Taiwan'))).toEqual(['70,000', '70,000'])
    expect(cellsOf(await row('Adjustments'))).toEqual(['-500', '-500'])
    expect(cellsOf(await row('Total'))).toEqual(['119,500', '119,500'])
    expect(calls.find(({ path }) => path === '/api/ad/ecspend/')?.query).toMatchObject({ group: 'account' })
  })

  it('open into nothing', async () => {
    drawn(oneMonth, { [PATH]: accounts })
    await table()
    expect(screen.queryByRole('button', { name: /^Show what/ })).toBeNull()
  })

  it('are no choice over several months of all advertisers', async () => {
    const { calls } = drawn({ group: 'account' })
    await table()
    expect(screen.queryByRole('radio', { name: 'Accounts' })).toBeNull()
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Advertisers' }).checked).toBe(true)
    expect(calls.find(({ path }) => path === '/api/ad/ecspend/')?.query).toMatchObject({ group: 'channel' })
  })

  it('are a choice of one advertiser', async () => {
    const { went } = drawn({ advertiser: 1 })
    await table()
    await user.click(screen.getByRole('radio', { name: 'Accounts' }))
    expect(went).toMatchObject([{ search: { advertiser: 1, group: 'account' } }])
  })
})

describe('two months by channel', () => {
  it('have the channels of all advertisers', async () => {
    drawn({ a: '2026-09', b: '2026-10', group: 'channel' })
    const both = within(await screen.findByRole('table', { name: 'Sep 2026 and Oct 2026' }))
    const cells = (name: RegExp) => cellsOf(both.getByRole('row', { name }))
    expect(cells(/^Meta ads/)).toEqual(['150,000', '160,000', '+10,000', '↑ 6.7%6.7% more'])
    expect(cells(/^Total/).slice(0, 3)).toEqual(['150,000', '190,000', '+40,000'])
  })

  it('compare what is new with nothing, without a share', async () => {
    drawn({ a: '2026-09', b: '2026-10', group: 'channel' })
    const both = within(await screen.findByRole('table', { name: 'Sep 2026 and Oct 2026' }))
    const google = cellsOf(both.getByRole('row', { name: /^Google Ads/ }))
    expect(google).toEqual(['', '30,000', '+30,000', 'No comparison'])
  })

  it('are chosen from the range', async () => {
    const { went } = drawn({ a: '2026-09', b: '2026-10' })
    await user.click(await screen.findByRole('combobox', { name: 'Month B' }))
    await user.click(await screen.findByRole('option', { name: 'Nov 2026' }))
    expect(went).toMatchObject([{ search: { a: '2026-09', b: '2026-11' } }])
  })
})
