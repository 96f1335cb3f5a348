import type { ImportReply } from '#shared/api/customers.ts'
import { RateText } from '#shared/api/insight-settings.ts'
import type { ErrorCode } from '#shared/errors.ts'
import type { ReadRate, ReadRates } from './rate-files.ts'
import type { WrittenRate } from './rate-queries.ts'
import type { RateRow } from './rates.ts'

export interface RatePlan {
  /** Those that are new or differ. */
  rates: WrittenRate[]
  /** What was there, by month and currency. */
  before: ReadonlyMap<string, RateRow>
  reply: ImportReply
}

interface Context {
  base: string
  stored: readonly RateRow[]
  locked: readonly string[]
  /** The month that is not over. */
  running: string
  sourceOf: (rate: ReadRate) => string
}

/** What a file of rates would do; each for itself. */
export function planRates(read: ReadRates, { stored, running, sourceOf, ...context }: Context): RatePlan {
  const before = new Map(stored.map(rate => [keyOf(rate), rate]))
  const problems = [...read.problems]
  const earlier = new Set<string>()
  const rates: WrittenRate[] = []
  for (const each of read.rates) {
    const { row, month, currency, rate } = each
    const kind = each.kind ?? (month < running ? 'final' : 'provisional')
    const code = whyNot(each, { ...context, earlier, kind, before: before.get(keyOf(each)) })
    if (code) problems.push({ row, ...code })
    else if (isOther({ rate, kind }, before.get(keyOf(each))))
      rates.push({ month, currency, rate, kind, source: sourceOf(each) })
    earlier.add(keyOf(each))
  }
  const create = rates.filter(rate => !before.has(keyOf(rate))).length
  const good = read.rates.length - (problems.length - read.problems.length)
  const reply = { create, change: rates.length - create, same: good - rates.length, problems }
  return { rates, before, reply }
}

const keyOf = ({ month, currency }: { month: string; currency: string }) => `${month} ${currency}`

type Content = Pick<RateRow, 'rate' | 'kind'>

const isOther = ({ rate, kind }: Content, before: Content | undefined) =>
  before === undefined || before.rate !== rate || before.kind !== kind

function whyNot(
  each: ReadRate,
  {
    base,
    locked,
    earlier,
    kind,
    before,
  }: Pick<Context, 'base' | 'locked'> & {
    earlier: ReadonlySet<string>
    kind: RateRow['kind']
    before: RateRow | undefined
  },
): { field: string; code: ErrorCode } | null {
  const { month, currency, rate } = each
  if (currency === base) return { field: 'currency', code: 'rate_of_base' }
  if (earlier.has(keyOf(each))) return { field: 'currency', code: 'rate_taken' }
  // By a rate that is close to nothing, a converted one has more digits than there is room for.
  if (!RateText.safeParse(rate).success) return { field: 'rate', code: 'field_invalid' }
  const isFrozen = before?.kind === 'final' && locked.includes(month)
  return isFrozen && isOther({ rate, kind }, before) ? { field: 'month', code: 'month_locked' } : null
}
