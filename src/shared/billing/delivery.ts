import { round, stepOf } from './step.ts'

export interface DeliveryRequest {
  media: bigint
  /** First and last day of the line. */
  start: string
  end: string
  yesterday: string
  /** Until yesterday; null: not known. */
  spent: bigint | null
  currency: string
}

export interface Delivery {
  days: number
  days_over: number
  /** What an even delivery would have spent. */
  expected: bigint
  /** Spent by expected, to three decimals; null: nothing is expected, or spent is not known. */
  pace: number | null
  /** What is spent in the end if it goes on like this. */
  forecast: bigint | null
  verdict: 'under' | 'on_pace' | 'over' | null
}

/** A pace from 0.9 to 1.1 is on pace; thousandths. */
const ON_PACE = { from: 900n, to: 1100n }

/** How far a line of an order is. */
export function deliveryOf({ media, start, end, yesterday, spent, currency }: DeliveryRequest): Delivery {
  const days = daysFrom(start, end)
  const daysOver = Math.min(Math.max(daysFrom(start, yesterday), 0), days)
  const step = stepOf(currency)
  const [all, over] = [BigInt(days), BigInt(daysOver)]
  const isKnown = spent !== null && daysOver > 0
  const pace = isKnown && media > 0n ? round(spent * all * 1000n, media * over, { step: 1n }) : null
  return {
    days,
    days_over: daysOver,
    expected: round(media * over, all, { step }),
    pace: pace === null ? null : Number(pace) / 1000,
    forecast: isKnown ? round(spent * all, over, { step }) : null,
    verdict: pace === null ? null : verdictOf(pace),
  }
}

/** The pace of several lines together. */
export function paceOf(spent: bigint | null, expected: bigint): Pick<Delivery, 'pace' | 'verdict'> {
  if (spent === null || expected <= 0n) return { pace: null, verdict: null }
  const pace = round(spent * 1000n, expected, { step: 1n })
  return { pace: Number(pace) / 1000, verdict: verdictOf(pace) }
}

function verdictOf(pace: bigint): Delivery['verdict'] {
  if (pace < ON_PACE.from) return 'under'
  return pace > ON_PACE.to ? 'over' : 'on_pace'
}

/** How many days from the first to the last, both included. */
const daysFrom = (start: string, end: string): number =>
  Temporal.PlainDate.from(start).until(end, { largestUnit: 'days' }).days + 1
