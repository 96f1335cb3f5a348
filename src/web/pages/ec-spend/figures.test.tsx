// @vitest-environment happy-dom
import 'temporal-polyfill/global'
import { screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { drawFor } from '#web/testing/draw-for.tsx'
import { monthsBetween } from '#web/ui/month.ts'
import { ChartCard } from './chart-card.tsx'
import { Figures } from './figures.tsx'
import { spend, spendRow } from './testing/samples.ts'
import type { View } from './view.ts'

const viewOf = (from: string, to: string, more: Partial<View> = {}): View => ({
  from,
  to,
  months: monthsBetween(from, to),
  group: 'advertiser',
  measure: 'billed',
  ...more,
})

beforeEach(() => {
  vi.setSystemTime('2026-11-26T04:00:00Z')
  return () => void vi.useRealTimers()
})

describe('the figures', () => {
  const drawn = (view: View, rows = spend.rows) => {
    const inRange = rows.filter(({ month }) => view.months.includes(month))
    drawFor(<Figures spend={{ ...spend, rows: inRange }} view={view} />)
    return within(screen.getByRole('region'))
  }

  it('are of the last month that is over, since the running one would always look like a fall', () => {
    const figures = drawn(viewOf('2026-09', '2026-11'))
    expect(figures.getByText('Media in TWD, Oct 2026').isConnected).toBe(true)
    expect(figures.getByText('Media in USD, Oct 2026').isConnected).toBe(true)
    expect(figures.getByText('compared with Sep 2026').isConnected).toBe(true)
    expect(figures.getByText('Media in Nov 2026 so far').nextElementSibling?.textContent).toContain('80,000*')
  })

  it('have the fee and the total with tax', () => {
    const figures = drawn(viewOf('2026-09', '2026-10'))
    const fees = figures.getAllByText('Service fee').map(name => name.nextElementSibling?.textContent)
    expect(fees).toEqual(['28,500', '1,350.00'])
    const totals = figures.getAllByText('Total with tax').map(name => name.nextElementSibling?.textContent)
    expect(totals).toEqual(['229,425', '10,868.00'])
  })

  it('are of an earlier month where the range ends with it', () => {
    const figures = drawn(viewOf('2026-09', '2026-09'))
    expect(figures.getByText('Media in TWD, Sep 2026').isConnected).toBe(true)
    expect(figures.queryByText(/so far/)).toBeNull()
  })

  it('are of the running month where it is the only one', () => {
    const figures = drawn(viewOf('2026-11', '2026-11'))
    expect(figures.getByText('Media in TWD, Nov 2026').isConnected).toBe(true)
    expect(figures.queryByText(/so far/)).toBeNull()
  })

  it('compare nothing with what is not known', () => {
    const figures = drawn(viewOf('2026-09', '2026-10'), [
      spendRow({ media: null, month: '2026-09' }),
      spendRow({ media: 5, month: '2026-10' }),
    ])
    expect(figures.getAllByText('No comparison').length).toBeGreaterThan(0)
    expect(figures.getAllByText('with Sep 2026').length).toBeGreaterThan(0)
  })

  it('say that nothing was billed in a currency', () => {
    const figures = drawn(viewOf('2026-09', '2026-09'))
    const usd = figures.getByText('Media in USD, Sep 2026')
    expect(usd.nextElementSibling?.textContent).toBe('Nothing')
  })
})

describe('the chart', () => {
  it('has a bar for each month, with the channels on top of each other', async () => {
    drawFor(<ChartCard spend={spend} view={viewOf('2026-09', '2026-11')} currency="TWD" />)
    const chart = await screen.findByRole('figure', { name: 'Media by channel, TWD' })
    const legend = within(chart)
    expect(legend.getAllByText('Meta ads').length).toBeGreaterThan(0)
    expect(legend.getAllByText('Google Ads').length).toBeGreaterThan(0)
    const names = legend.getAllByText(/^(Meta ads|Google Ads)$/).map(name => name.textContent)
    expect(new Set(names)).toEqual(new Set(['Meta ads', 'Google Ads']))
  })

  it('says that there is nothing in the currency', async () => {
    drawFor(<ChartCard spend={spend} view={viewOf('2026-09', '2026-11')} currency="JPY" />)
    expect((await screen.findByText('No amounts in these months')).isConnected).toBe(true)
  })
})
