import type { Slice } from '#server/connectors/kit/slices.ts'

/**
 * A report of people: LY counts them in days, weeks or months, over periods that it names itself, and never
 * today's.
 */
export interface ReachWindow {
  named: Slice & { name: string }
  frequencyRange: 'DAILY' | 'WEEKLY' | 'MONTHLY'
  /** Whether rows are of single days. */
  is_daily: boolean
  /** Which metrics of the request it has. */
  slices: Slice[]
}

/** The reports with the reach of slices, as few as possible, and the slices whose reach none has. */
export function reachWindows(
  slices: readonly Slice[],
  today: Temporal.PlainDate,
): { windows: ReachWindow[]; missing: Slice[] } {
  const windows: ReachWindow[] = []
  let missing = slices.filter(({ start }) => start <= today.toString())
  for (;;) {
    const [best] = offeredAt(today)
      .map(offered => ({ ...offered, slices: missing.filter(slice => isCovered(slice, offered)) }))
      .toSorted((one, other) => other.slices.length - one.slices.length)
    if (best === undefined || best.slices.length === 0) return { windows, missing }
    windows.push(best)
    missing = missing.filter(slice => !best.slices.includes(slice))
  }
}

type Offered = Omit<ReachWindow, 'slices'>

function isCovered({ start, end }: Slice, { named, is_daily }: Offered): boolean {
  if (is_daily) return start === end && start >= named.start && end <= named.end
  return start === named.start && end === named.end
}

function offeredAt(today: Temporal.PlainDate): Offered[] {
  const yesterday = today.subtract({ days: 1 })
  const monday = today.subtract({ days: today.dayOfWeek - 1 })
  const first = today.with({ day: 1 })
  const lastMonth = period('LAST_MONTH', first.subtract({ months: 1 }), first.subtract({ days: 1 }))
  const lastWeek = period('LAST_WEEK', monday.subtract({ days: 7 }), monday.subtract({ days: 1 }))
  const last30Days = period('LAST_30_DAYS', today.subtract({ days: 30 }), yesterday)
  const daily = { frequencyRange: 'DAILY', is_daily: true } as const
  return [
    { named: period('YESTERDAY', yesterday, yesterday), ...daily },
    { named: lastMonth, ...daily },
    { named: last30Days, ...daily },
    { named: lastWeek, frequencyRange: 'WEEKLY', is_daily: false },
    { named: lastMonth, frequencyRange: 'MONTHLY', is_daily: false },
  ]
}

const period = (name: string, start: Temporal.PlainDate, end: Temporal.PlainDate) => ({
  name,
  start: start.toString(),
  end: end.toString(),
})
