import type { Logger } from 'pino'
import { round, stepOf } from '#shared/billing/step.ts'
import { todayIn } from '#shared/date-range.ts'
import { plusMonths } from '#shared/month.ts'
import type { Db } from '#server/db/connect.ts'
import { databaseNow } from '#server/db/now.ts'
import { inTransaction, type Trx } from '#server/db/transaction.ts'
import { startInterval, type Role } from '#server/interval.ts'
import { insertAdjustments } from '#server/resources/ec-spend/adjustment-queries.ts'
import { billMonth } from '#server/resources/ec-spend/bill.ts'
import { insertInvoice } from '#server/resources/ec-spend/invoice-queries.ts'
import { lockMonth } from '#server/resources/ec-spend/lock.ts'
import { readMonth } from '#server/resources/ec-spend/month-checks.ts'
import { monthsBetween } from '#server/resources/ec-spend/months.ts'
import {
  costliest,
  idOfPerson,
  insertRates,
  isFetching,
  isUntouched,
  lowerCost,
  payDue,
} from './billing-queries.ts'

/** As many months of rates and of locked statements. */
const MONTHS = 24

/** Base units for one, and by how much a month may differ. */
const rates = { USD: [31.5, 0.9], JPY: [0.2085, 0.008], EUR: [34.1, 1.1] } as const

/** The rates of the last months; the running one has none yet. */
export async function insertDemoRates(trx: Trx, { month }: { month: string }): Promise<void> {
  const months = monthsBetween(plusMonths(month, -MONTHS - 1), plusMonths(month, -1))
  const rows = Object.entries(rates).flatMap(([currency, [middle, swing]]) =>
    months.map((each, index) => ({
      month: each,
      currency,
      rate: (middle + swing * Math.sin((index + currency.charCodeAt(0)) / 3)).toFixed(4),
      kind: 'final' as const,
      source: 'Bank of Taiwan',
    })),
  )
  await insertRates(trx, rows)
}

/** Bills the demo's months once its spend has come from the platforms. */
export function startDemoBilling(db: Db, { time_zone, log }: { time_zone: string; log: Logger }): Role {
  let isDone = false
  return startInterval(LOOK_MS, log, async () => {
    if (isDone || (await isFetching(db))) return
    const now = await databaseNow(db)
    await inTransaction(db, trx => billDemo(trx, { now, time_zone }), { isolation: 'repeatable read' })
    isDone = true
  })
}

const LOOK_MS = 2000

/**
 * Locks and bills all months but the running and the last one, as finance would have on the fifth of the
 * next month: with an invoice that differs, adjustments, and what a platform has changed since.
 */
export async function billDemo(trx: Trx, moment: { now: Date; time_zone: string }): Promise<void> {
  const user = await idOfPerson(trx, 'finance')
  if (user === null || !(await isUntouched(trx))) return
  const today = todayIn(moment.time_zone, moment.now)
  const running = today.slice(0, 7)
  const months = monthsBetween(plusMonths(running, -MONTHS - 1), plusMonths(running, -2))
  for (const [index, month] of months.entries()) {
    const now = new Date(`${plusMonths(month, 1)}-05T02:00:00Z`)
    if (index > MONTHS - 4) await addDetails(trx, month, now)
    await lockAsFinance(trx, month, { user, moment: { ...moment, now }, first: index === 0 })
    await billMonth(trx, { month }, { user, moment: { ...moment, now } })
  }
  await addDetails(trx, plusMonths(running, -1), moment.now)
  await payDue(trx, today)
  await changeLater(trx, months.at(-3) ?? '')
}

/** What is not known, or nobody's, is accepted. */
async function lockAsFinance(
  trx: Trx,
  month: string,
  { user, moment, first }: { user: number; moment: { now: Date; time_zone: string }; first: boolean },
) {
  const { checks } = await readMonth(trx, moment, { month, waived: [], is_first: first })
  const waive = checks.flatMap(({ ad_account, can_waive, code }) =>
    ad_account === null || !can_waive ? [] : [{ ad_account, reason: REASONS[code] ?? '' }],
  )
  await lockMonth(trx, { month, waive, first }, { user, moment })
}

const REASONS: Record<string, string> = {
  days_unknown: '平台的存取權限已被收回',
  spend_of_nobody: '公司自有帳戶',
}

/** An invoice that is a little off, and money back for invalid clicks. */
async function addDetails(trx: Trx, month: string, now: Date) {
  const account = await costliest(trx, { month })
  if (!account) return
  const { ad_account, advertiser, currency } = account
  const step = stepOf(currency)
  const part = (thousandths: bigint) => Number(round(BigInt(account.cost) * thousandths, 1000n, { step }))
  const number = `INV-${month.replace('-', '')}-01`
  await insertInvoice(trx, { ad_account, month, amount: part(988n), number, note: '' }, now)
  const credit = { advertiser, currency, month, concerns_month: plusMonths(month, -1) }
  const amount = part(-4n)
  if (amount !== 0)
    await insertAdjustments(
      trx,
      [{ ...credit, channel: 'fb', amount, reason: 'invalid_traffic', note: '無效點擊退款' }],
      now,
    )
}

/** Meta settles after four weeks: what is changed of an older month is not fetched again. */
async function changeLater(trx: Trx, month: string) {
  const account = await costliest(trx, { month, channel: 'fb' })
  if (account) await lowerCost(trx, { ad_account: account.ad_account, month, by: 351_000_000 })
}
