import type { Statement } from '#shared/api/ec-spend.ts'

export interface CurrencySum {
  currency: string
  count: number
  total: bigint
  /** Some are not known yet. */
  isPartial: boolean
}

/** What statements amount to by currency. */
export const sumsOf = (statements: readonly Statement[]): CurrencySum[] =>
  [...Map.groupBy(statements, ({ currency }) => currency)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, group]) => ({
      currency,
      count: group.length,
      total: group.reduce((sum, { total }) => sum + BigInt(total ?? 0), 0n),
      isPartial: group.some(({ total }) => total === null),
    }))

/** What billing would make payments of: above 0, covered by no order, and not asked for yet. */
export const toBill = (statements: readonly Statement[]) =>
  statements.filter(
    ({ total, payment, covered_by }) =>
      total !== null && total > 0 && payment === null && covered_by === null,
  )

type Drift = Statement['drift'][number]

/** What of the changes since the lock is in no adjustment yet. */
export const unbooked = ({ amount, booked }: Drift) => amount - booked

export const hasDrift = ({ drift }: Statement) => drift.some(part => unbooked(part) !== 0)
