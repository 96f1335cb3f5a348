import type { ScheduleLoad } from '#shared/api/schedule-load.ts'

type Quarters = ScheduleLoad['quarters']

const BUSY = 3
/** Two hours to either side: further away it is another time of the day. */
const FAR = 8

/** 09:15:00 is the 37th quarter hour of a day. */
export const quarterOf = (time: string): number =>
  Number(time.slice(0, 2)) * 4 + Math.floor(Number(time.slice(3, 5)) / 15)

export const timeOf = (quarter: number): string =>
  `${String(Math.floor(quarter / 4)).padStart(2, '0')}:${String((quarter % 4) * 15).padStart(2, '0')}:00`

/**
 * The nearest quarter hour at which clearly less begins than at a busy one, rather before it than after; null
 * when none is needed or near.
 */
export function quieterThan(quarters: Quarters, quarter: number): number | null {
  const here = quarters[quarter]
  if (here?.level !== BUSY) return null
  for (let away = 1; away <= FAR; away += 1)
    for (const candidate of [quarter - away, quarter + away]) {
      const there = quarters[candidate]
      if (there && isQuieter(there, here)) return candidate
    }
  return null
}

const isQuieter = (there: Quarters[number], here: Quarters[number]) =>
  there.level < BUSY - 1 || (there.level < BUSY && (there.reports ?? 0) * 2 <= (here.reports ?? 0))
