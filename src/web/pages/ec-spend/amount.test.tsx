// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { draw } from '#web/testing/render.tsx'
import { Amount, Change } from './amount.tsx'
import type { Cell } from './lines.ts'
import { Money } from './month/money.tsx'

const textOf = (cell: Cell | undefined, currency = 'TWD', withCurrency = false) =>
  draw(<Amount cell={cell} currency={currency} withCurrency={withCurrency} />).container.textContent
const changed = (share: number | null) => draw(<Change share={share} />).container.textContent

describe('an amount in a table', () => {
  it('has the decimals that its currency is billed in', () => {
    expect(textOf({ amount: 1_234_567_000_000n, gap: null })).toBe('1,234,567')
    expect(textOf({ amount: 1_234_500_000n, gap: null }, 'USD')).toBe('1,234.50')
    expect(textOf({ amount: 450_000_000_000n, gap: null }, 'JPY')).toBe('450,000')
  })

  it('has its currency where no heading says it', () => {
    expect(textOf({ amount: 1_000_000n, gap: null }, 'TWD', true)).toBe('NT$1')
  })

  it('below 0 has a sign', () => {
    expect(textOf({ amount: -351_000_000n, gap: null })).toBe('-351')
  })

  it('of nothing is empty', () => {
    expect(textOf(undefined)).toBe('')
  })

  it('that is 0 is 0', () => {
    expect(textOf({ amount: 0n, gap: null })).toBe('0')
  })

  it.each([
    ['days_unknown', 'The spend of some days is not known yet'],
    ['rate_missing', 'The exchange rate of the month is missing'],
    ['depends', 'Another amount of the same statement is not known yet'],
  ] as const)('that is not known says why (%s)', (gap, why) => {
    expect(textOf({ amount: null, gap })).toBe(`— ${why}`)
    expect(screen.getByTitle(why).textContent).toContain('—')
  })

  it('that is known in part is marked', () => {
    expect(textOf({ amount: 5_000_000n, gap: 'days_unknown' })).toBe(
      '5* Without amounts that are not known yet',
    )
  })
})

describe('a change', () => {
  it('is an arrow with its share, and words for those who do not see it', () => {
    expect(changed(0.204)).toBe('↑ 20.4%20.4% more')
    expect(changed(-0.5)).toBe('↓ 50%50% less')
    expect(changed(0.0001)).toBe('= 0%unchanged')
  })

  it('is none without anything to compare with', () => {
    expect(changed(null)).toBe('No comparison')
  })
})

describe('an amount of a month', () => {
  const money = (props: Parameters<typeof Money>[0]) => draw(<Money {...props} />).container.textContent

  it('is on the step that is billed', () => {
    expect(money({ amount: 123_457_000_000, currency: 'TWD' })).toBe('123,457')
  })

  it('as reported has the decimals of its currency', () => {
    expect(money({ amount: 550_555_300_000, currency: 'TWD', reported: true })).toBe('550,555.30')
    expect(money({ amount: 1_936_642_000_000, currency: 'JPY', reported: true })).toBe('1,936,642')
    expect(money({ amount: 2_275_330_500_000, currency: 'JPY', reported: true })).toBe('2,275,330.5')
  })

  it('of a change has its sign', () => {
    expect(money({ amount: 351_000_000, currency: 'TWD', signed: true })).toBe('+351')
    expect(money({ amount: -351_000_000, currency: 'TWD', signed: true })).toBe('-351')
    expect(money({ amount: 0, currency: 'TWD', signed: true })).toBe('0')
  })

  it('that is not known says why', () => {
    expect(money({ amount: null, currency: 'TWD' })).toBe('—Not known yet')
    expect(money({ amount: null, currency: 'TWD', why: 'The exchange rate is missing' })).toBe(
      '—The exchange rate is missing',
    )
  })
})
