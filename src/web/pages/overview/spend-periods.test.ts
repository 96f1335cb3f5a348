import { describe, expect, it } from 'vitest'
import { MAX_SPEND_DAYS } from '#shared/api/spend.ts'
import { periodDays, periodOf, spendPeriods } from './spend-periods.ts'

const range = (start: string, end: string) => ({ start, end })

describe('the days of a period', () => {
  it.each([
    ['7d', '2026-11-26', range('2026-11-19', '2026-11-25'), range('2026-11-12', '2026-11-18')],
    ['30d', '2026-11-26', range('2026-10-27', '2026-11-25'), range('2026-09-27', '2026-10-26')],
    ['90d', '2026-11-26', range('2026-08-28', '2026-11-25'), range('2026-05-30', '2026-08-27')],
    ['this_month', '2026-11-26', range('2026-11-01', '2026-11-25'), range('2026-10-01', '2026-10-25')],
    ['this_month', '2026-11-01', null, range('2026-10-01', '2026-10-01')],
    ['this_month', '2026-03-31', range('2026-03-01', '2026-03-30'), range('2026-02-01', '2026-02-28')],
    ['last_month', '2026-11-26', range('2026-10-01', '2026-10-31'), range('2026-09-01', '2026-09-30')],
    ['last_month', '2026-01-01', range('2025-12-01', '2025-12-31'), range('2025-11-01', '2025-11-30')],
  ] as const)('%s on %s', (period, today, now, before) => {
    expect(periodDays(period, today)).toEqual({ now, before })
  })

  it.each(spendPeriods)(
    '%s is never longer, with what it is compared with, than the server answers',
    period => {
      for (const today of ['2026-03-31', '2026-01-01', '2024-03-01', '2026-11-26']) {
        const { now, before } = periodDays(period, today)
        const days = Temporal.PlainDate.from(before.start).until(now?.end ?? before.end).days + 1
        expect(days).toBeLessThanOrEqual(MAX_SPEND_DAYS)
      }
    },
  )
})

it('an address that names no period means the last 30 days', () => {
  expect([undefined, '', '31d', 'last_month'].map(periodOf)).toEqual(['30d', '30d', '30d', 'last_month'])
})
