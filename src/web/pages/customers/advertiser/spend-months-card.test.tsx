// @vitest-environment happy-dom
import 'temporal-polyfill/global'
import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import type { Advertiser, AdvertiserSpend } from '#shared/api/advertisers.ts'
import { Problem } from '#web/client/problem.ts'
import { drawFor } from '#web/testing/draw-for.tsx'
import { serve } from '#web/testing/fake-server.ts'
import { aurora } from '#web/pages/customers/testing/samples.ts'
import { monthsBetween } from '#web/ui/month.ts'
import { SpendMonthsCard } from './spend-months-card.tsx'

const months = monthsBetween('2025-11', '2026-11')
type Series = AdvertiserSpend['series'][number]

/** A channel that has cost as many units each month as there are from some month on. */
const series = (
  channel: Series['channel'],
  currency: string,
  { from = 0, known = 'full' as Series['known'][number] } = {},
): Series => ({
  channel,
  currency,
  cost: months.map((_, at) => (at < from ? null : 1_234_000_000)),
  known: months.map((_, at) => (at < from ? 'none' : known)),
})

function drawn(all: readonly Series[], row: Partial<Advertiser> = {}) {
  serve({
    'GET /api/advertiser/1/spend/': { months, series: all, as_of: '2026-11-01T08:00:00.000Z' },
  })
  drawFor(<SpendMonthsCard advertiser={{ ...aurora, ...row }} />)
}

const figure = (currency: string) =>
  screen.findByRole('figure', { name: `Spend by month and channel, in ${currency}` })
const currencies = () => screen.queryAllByRole('radio').map(({ parentElement }) => parentElement?.textContent)

describe('the spend of an advertiser by month', () => {
  it('is drawn by channel, and as a table with whole amounts', async () => {
    drawn([series('fb', 'TWD'), series('aw', 'TWD', { from: 6 })])
    await figure('TWD')
    expect(currencies()).toEqual([])
    await userEvent.click(screen.getByRole('button', { name: 'Show as table' }))
    const rows = screen.getAllByRole('row').map(({ textContent }) => textContent)
    expect(rows).toHaveLength(14)
    expect(rows[0]).toContain('Meta ads')
    expect(rows[0]).toContain('Google Ads')
    expect(rows.at(-1)).toContain('NT$1,234')
  })

  it('begins with the currency of its documents', async () => {
    drawn([series('fb', 'JPY'), series('aw', 'TWD', { from: 12 })], { billing_currency: 'TWD' })
    await figure('TWD')
    expect(currencies()).toEqual(['JPY', 'TWD'])
  })

  it('begins with the currency of most figures where each account has its own', async () => {
    drawn([series('fb', 'JPY', { from: 3 }), series('aw', 'USD')], { billing_currency: null })
    await figure('USD')
    expect(currencies()).toEqual(['USD', 'JPY'])
  })

  it('says how many months are not known as a whole', async () => {
    drawn([series('fb', 'TWD', { from: 11, known: 'partial' })])
    const freshness = await screen.findByText(/2 months are not known completely/)
    expect(freshness.textContent).toMatch(/^As of/)
  })

  it('says what to do where nothing is known', async () => {
    drawn([])
    await screen.findByText('No spend is known yet')
    expect(screen.getByText('It appears here once ad accounts are related.').textContent).not.toBe('')
  })

  it('can be asked for again after a failure', async () => {
    const answers: unknown[] = [
      new Problem({ code: 'forbidden', status: 403 }),
      { months, series: [series('fb', 'TWD')], as_of: null },
    ]
    serve({ 'GET /api/advertiser/1/spend/': () => answers.shift() })
    drawFor(<SpendMonthsCard advertiser={aurora} />)
    await userEvent.click(await screen.findByRole('button', { name: 'Try again' }))
    await figure('TWD')
    expect(screen.queryByText(/^As of/)).toBeNull()
  })
})
