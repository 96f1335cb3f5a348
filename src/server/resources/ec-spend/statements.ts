import { z } from 'zod'
import type { Statement } from '#shared/api/ec-spend.ts'
import { PaymentTerms } from '#shared/api/money.ts'
import { Parties } from '#shared/api/quotations.ts'
import { todayIn } from '#shared/date-range.ts'
import { languages } from '#shared/language.ts'
import { orderLabel } from '#shared/order-label.ts'
import type { Db } from '#server/db/connect.ts'
import { accountsByMonth, type AccountMonth } from './account-queries.ts'
import { differs } from './checks.ts'
import { coveringByStatement } from './coverage.ts'
import { driftOf } from './drift-queries.ts'
import type { LiveStatement } from './live.ts'
import { readLive, scopeOf, type Moment } from './read-spend.ts'
import {
  adjustmentLines,
  lockedLines,
  lockedStatements,
  type LockedStatement,
  type StatementFilter,
} from './statement-queries.ts'

/** What a lock keeps beside the amounts. */
export const Frozen = z.object({
  parties: Parties,
  payment_terms: PaymentTerms,
  language: z.enum(languages),
  warnings: z.array(z.enum(['no_agreement', 'invoice_differs'])),
  /** Those that were in force, and base units for one of each currency. */
  agreements: z.array(z.number()),
  rates: z.record(z.string(), z.string()),
})
export type Frozen = z.infer<typeof Frozen>

/** The statements of a locked month, as the lock has frozen them. */
export async function readLocked(db: Db, moment: Moment, filter: StatementFilter): Promise<Statement[]> {
  const statements = await lockedStatements(db, filter)
  const lines = Map.groupBy(await lockedLines(db, filter), ({ statement }) => statement)
  const adjustments = await adjustmentsByCustomer(db, filter)
  const drift = Map.groupBy(await driftOf(db, filter), ({ advertiser }) => advertiser)
  const today = todayIn(moment.time_zone, moment.now)
  return statements.map(({ frozen, payment, covered_by, ...statement }) => ({
    ...statement,
    month: filter.month,
    lines: (lines.get(statement.id) ?? []).map(({ statement: _statement, ...line }) => line),
    warnings: Frozen.parse(frozen).warnings,
    payment: payment && { id: payment.id, number: payment.number, status: statusOf(payment, today) },
    covered_by: covered_by && { id: covered_by.id, label: orderLabel(covered_by) ?? '' },
    adjustments: adjustments(statement),
    drift: (drift.get(statement.advertiser) ?? []).map(({ channel, currency, amount, booked }) => ({
      channel,
      currency,
      amount: Number(amount),
      booked: Number(booked),
    })),
  }))
}

const statusOf = ({ status, due_on }: NonNullable<LockedStatement['payment']>, today: string) =>
  status === 'due' && due_on < today ? 'overdue' : status

/** The statements of an open month, as they would be now. */
export async function readOpen(db: Db, moment: Moment, filter: StatementFilter): Promise<Statement[]> {
  const { month, advertiser } = filter
  const { statements } = await readLive(db, moment, { months: [month], advertiser })
  const accounts = await accountsByMonth(db, await scopeOf(db, moment, { months: [month], advertiser }))
  const adjustments = await adjustmentsByCustomer(db, filter)
  const covering = await coveringByStatement(db, month, statements)
  return statements.map(statement => {
    const { customer, currency, lines } = statement
    return {
      id: null,
      advertiser: customer.id,
      advertiser_name: customer.name,
      month,
      currency,
      tax: customer.tax,
      media_billing: customer.media_billing,
      lines: lines.map(({ is_provisional: _is_provisional, ...line }) => ({
        ...line,
        spend: wire(line.spend),
        invoiced: wire(line.invoiced),
        adjusted: Number(line.adjusted),
        billed: wire(line.billed),
        fee: wire(line.fee),
        tax_amount: wire(line.tax_amount),
        total: wire(line.total),
      })),
      media: wire(statement.media),
      fee: wire(statement.fee),
      untaxed: wire(statement.untaxed),
      taxable: wire(statement.taxable),
      tax_amount: wire(statement.tax_amount),
      total: wire(statement.total),
      warnings: [...liveWarnings(statement), ...warningsOf(statement, accounts)],
      payment: null,
      covered_by: covering(customer.id, currency),
      adjustments: adjustments({ advertiser: customer.id }),
      drift: [],
    }
  })
}

function liveWarnings({ is_running, lines }: LiveStatement): Statement['warnings'] {
  const isByProvisionalRate = !is_running && lines.some(({ is_provisional }) => is_provisional)
  return [
    ...(is_running ? (['month_not_over'] as const) : []),
    ...(isByProvisionalRate ? (['rate_provisional'] as const) : []),
  ]
}

/** What stays worth a look once the month is locked. */
export function warningsOf(
  { customer, warnings }: Pick<LiveStatement, 'customer' | 'warnings'>,
  accounts: readonly AccountMonth[],
): Frozen['warnings'] {
  const isOff = accounts.some(
    ({ advertiser, reported, invoice, invoice_note }) =>
      advertiser === customer.id && invoice_note === '' && differs(reported, invoice),
  )
  return [
    ...(warnings.length > 0 ? (['no_agreement'] as const) : []),
    ...(isOff ? (['invoice_differs'] as const) : []),
  ]
}

async function adjustmentsByCustomer(db: Db, filter: StatementFilter) {
  const found = Map.groupBy(await adjustmentLines(db, filter), ({ advertiser }) => advertiser)
  return ({ advertiser }: { advertiser: number }): Statement['adjustments'] =>
    (found.get(advertiser) ?? []).map(({ advertiser: _advertiser, ...line }) => line)
}

const wire = (amount: bigint | null) => (amount === null ? null : Number(amount))
