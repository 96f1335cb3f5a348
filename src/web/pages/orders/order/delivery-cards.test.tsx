// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query'
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Delivery, Quotation } from '#shared/api/quotations.ts'
import { client } from '#web/client/client.ts'
import { createQueryClient } from '#web/client/query-client.ts'
import { quotationLine, quotationOf, UNIT } from '#web/pages/orders/testing/example-quotation.ts'
import { draw } from '#web/testing/render.tsx'
import { DeliveryCards } from './delivery-cards.tsx'

afterEach(() => vi.restoreAllMocks())

type Line = Delivery['lines'][number]

/** Example B11: 100,000 over November, of which 63,200 are spent after 21 days. */
const deliveredLine = (fields: Partial<Line> = {}): Line => ({
  line: 1,
  media: 100_000 * UNIT,
  start: '2026-11-01',
  end: '2026-11-30',
  days: 30,
  days_over: 21,
  spent: 63_200 * UNIT,
  expected: 70_000 * UNIT,
  pace: 0.903,
  verdict: 'on_pace',
  forecast: 90_286 * UNIT,
  is_final: false,
  code: null,
  ...fields,
})

const deliveryOf = (lines: Line[], months: Delivery['months'] = []): Delivery => ({
  currency: 'TWD',
  through: '2026-11-21',
  lines,
  total: { ...deliveredLine(), media: 100_000 * UNIT },
  months,
})

function drawn(delivery: Delivery, order: Partial<Quotation> = {}) {
  const queries = createQueryClient()
  queries.setDefaultOptions({ queries: { staleTime: Number.POSITIVE_INFINITY } })
  queries.setQueryData(['orders', 'delivery', 7], delivery)
  const lines = delivery.lines.map(({ line }) =>
    quotationLine({ id: line, title: `Line ${line}`, accounts: [3] }),
  )
  draw(
    <QueryClientProvider client={queries}>
      <DeliveryCards order={quotationOf({ status: 'accepted', lines, ...order })} />
    </QueryClientProvider>,
  )
}

describe('the delivery of a line', () => {
  it('is spent, expected, pace and forecast in words (B11)', () => {
    drawn(deliveryOf([deliveredLine()]))
    const [line] = screen.getAllByRole('listitem')
    const words = within(line ?? document.body)
    expect(words.getByText('On pace')).toBeTruthy()
    expect(words.getByText('NT$63,200 of NT$100,000')).toBeTruthy()
    expect(words.getByText('NT$70,000 expected by now')).toBeTruthy()
    expect(words.getByText('Pace 90%')).toBeTruthy()
    expect(words.getByText('NT$90,286 expected at the end')).toBeTruthy()
  })

  it('is a bar with the mark of today, and the same for who cannot see it', () => {
    drawn(deliveryOf([deliveredLine()]))
    const bar = screen.getByRole('img', {
      name: 'Meta ads · Line 1: NT$63,200 of NT$100,000 spent, NT$70,000 expected by now',
    })
    const [spent, mark] = [...bar.children].map(part => part.getAttribute('style') ?? '')
    expect(spent).toContain('63.2%')
    expect(mark).toContain('70%')
  })

  it.each([
    ['under', 'Under-delivering'],
    ['over', 'Over-delivering'],
  ] as const)('is %s pace', (verdict, words) => {
    drawn(deliveryOf([deliveredLine({ verdict })]))
    expect(screen.getByText(words)).toBeTruthy()
  })

  it('fills the bar where more was spent than ordered', () => {
    drawn(deliveryOf([deliveredLine({ spent: 250_000 * UNIT })]))
    const bar = screen.getByRole('img')
    expect(bar.children[0]?.getAttribute('style')).toContain('100%')
  })

  it('has not begun before its first day', () => {
    const none = { days_over: 0, spent: 0, expected: 0, pace: null, verdict: null, forecast: null }
    drawn(deliveryOf([deliveredLine({ ...none, start: '2026-12-01' })]))
    expect(screen.getByText('Begins on 2026-12-01')).toBeTruthy()
  })

  it.each([
    ['rate_missing', /exchange rate is missing/],
    ['days_missing', /still being fetched/],
  ] as const)('is not known: %s', (code, words) => {
    drawn(deliveryOf([deliveredLine({ code, spent: null, pace: null, verdict: null, forecast: null })]))
    expect(screen.getByText(words)).toBeTruthy()
    expect(screen.getByText('Spend not known of NT$100,000')).toBeTruthy()
  })

  it('is final a while after its end', () => {
    drawn(deliveryOf([deliveredLine({ is_final: true })]))
    expect(screen.getByText('Final')).toBeTruthy()
    expect(screen.queryByText('On pace')).toBeNull()
  })

  it('is typed where it has no accounts', async () => {
    const post = vi.spyOn(client, 'post').mockResolvedValue(quotationOf())
    const lines = [quotationLine({ id: 1, channel: null, publisher: 'UDN' })]
    drawn(deliveryOf([deliveredLine({ spent: null, pace: null, verdict: null })]), { lines })
    await userEvent.click(screen.getByRole('button', { name: 'Enter spend' }))
    const dialog = await screen.findByRole('dialog', { name: 'Spend of UDN' })
    await userEvent.type(within(dialog).getByLabelText('Spent so far'), '1234')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }))
    expect(post.mock.calls[0]).toMatchObject([
      '/api/ad_insertion/quotation/7/spent/',
      { body: { version: 3, lines: [{ line: 1, typed_spent: 1234 * UNIT }] } },
    ])
  })
})

describe('the delivery of an order', () => {
  it('is summed up where it has several lines', () => {
    drawn(deliveryOf([deliveredLine(), deliveredLine({ line: 2 })]))
    expect(screen.getAllByRole('listitem')).toHaveLength(3)
    expect(screen.getByText('Whole order')).toBeTruthy()
  })

  it('is a table by month', () => {
    const month = { month: '2026-11', ordered: 100_000 * UNIT, asked: 88_988 * UNIT, received: 0 }
    drawn(deliveryOf([deliveredLine()], [{ ...month, delivered: null }]))
    const cells = within(screen.getByRole('row', { name: /^2026-11/ })).getAllByRole('cell')
    expect(cells.map(cell => cell.textContent)).toEqual(['NT$100,000', '–', 'NT$88,988', 'NT$0'])
  })
})
