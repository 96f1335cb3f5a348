export const spendPeriods = ['7d', '30d', '90d', 'this_month', 'last_month'] as const
export type SpendPeriod = (typeof spendPeriods)[number]

/** What the URL asks for; the last 30 days unless it is one of the periods. */
export const periodOf = (text: string | undefined): SpendPeriod =>
  spendPeriods.find(period => period === text) ?? '30d'

/** The days of a period and those that it is compared with; both ends included. */
export interface PeriodDays {
  /** null: none of it is over yet. */
  now: { start: string; end: string } | null
  before: { start: string; end: string }
}

/**
 * The days up to yesterday, since today is not over and would compare badly, against as many before. This
 * month is compared with the same days of the last one, the last one with the whole month before it.
 */
export function periodDays(period: SpendPeriod, today: string): PeriodDays {
  const day = Temporal.PlainDate.from(today)
  const yesterday = day.subtract({ days: 1 })
  const first = day.with({ day: 1 })
  if (period === 'this_month') {
    const start = first.subtract({ months: 1 })
    const days = Math.min(Math.max(day.day - 1, 1), start.daysInMonth)
    return {
      now: day.day === 1 ? null : range(first, yesterday),
      before: range(start, start.add({ days: days - 1 })),
    }
  }
  if (period === 'last_month') {
    const start = first.subtract({ months: 1 })
    return {
      now: range(start, first.subtract({ days: 1 })),
      before: range(start.subtract({ months: 1 }), start.subtract({ days: 1 })),
    }
  }
  const days = Number.parseInt(period, 10)
  const start = day.subtract({ days })
  return {
    now: range(start, yesterday),
    before: range(start.subtract({ days }), start.subtract({ days: 1 })),
  }
}

const range = (start: Temporal.PlainDate, end: Temporal.PlainDate) => ({
  start: start.toString(),
  end: end.toString(),
})
