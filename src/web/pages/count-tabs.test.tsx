// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { draw } from '#web/testing/render.tsx'
import { CountTabs, totalsOf } from './count-tabs.tsx'

const UNIT = 1_000_000

describe('tabs with counts', () => {
  const tabs = (onChoose: () => void) => [
    { key: 'all', name: 'All', count: 12_345, isChosen: true, onChoose: () => {} },
    { key: 'due', name: 'Due', count: 2, isChosen: false, onChoose },
  ]

  it('say how many there are and which is chosen', () => {
    draw(<CountTabs label="State" tabs={tabs(() => {})} totals={[]} totalsName="Total" />)
    const [all, due] = screen.getAllByRole('button')
    expect(all?.textContent).toBe('All12,345')
    expect([all, due].map(each => each?.getAttribute('aria-pressed'))).toEqual(['true', 'false'])
    expect(screen.queryByText('Total')).toBeNull()
  })

  it('are chosen by a press', async () => {
    const onChoose = vi.fn<() => void>()
    draw(<CountTabs label="State" tabs={tabs(onChoose)} totals={[]} totalsName="Total" />)
    await userEvent.click(screen.getByRole('button', { name: /^Due/ }))
    expect(onChoose).toHaveBeenCalledOnce()
  })

  it('have their amounts by currency beside them', () => {
    const totals = totalsOf([
      { currency: 'USD', total: 12_500_000 },
      { currency: 'TWD', total: 100 * UNIT },
    ])
    draw(<CountTabs label="State" tabs={tabs(() => {})} totals={totals} totalsName="Total" />)
    expect(screen.getByText('Total').parentElement?.textContent).toBe('TotalNT$100$12.50')
  })
})

describe('totals', () => {
  it('are added up by currency', () => {
    expect(
      totalsOf([
        { currency: 'USD', total: 1 },
        { currency: 'TWD', total: 2 },
        { currency: 'USD', total: 3 },
      ]),
    ).toEqual([
      { currency: 'TWD', total: 2n },
      { currency: 'USD', total: 4n },
    ])
  })

  it('are exact beyond what a number holds', () => {
    const large = { currency: 'VND', total: Number.MAX_SAFE_INTEGER }
    expect(totalsOf([large, large])[0]?.total).toBe(2n * BigInt(Number.MAX_SAFE_INTEGER))
  })

  it('are none of nothing', () => {
    expect(totalsOf([])).toEqual([])
  })
})
