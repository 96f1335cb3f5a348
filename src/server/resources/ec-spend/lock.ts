import type { Check } from '#shared/api/ec-spend.ts'
import { isInForce } from '#shared/billing/fee.ts'
import type { Trx } from '#server/db/transaction.ts'
import { refuse } from '#server/http/refusal.ts'
import { writeAuditLines } from '#server/resources/audit/queries.ts'
import { lockedMonths } from '#server/resources/insight-settings/month-queries.ts'
import type { AccountMonth } from './account-queries.ts'
import { billedChannels } from './coverage.ts'
import { coveringOrders } from './coverage-queries.ts'
import type { LiveStatement } from './live.ts'
import {
  countPayments,
  deleteBookedDrift,
  deleteFrozen,
  holdMonths,
  insertLines,
  insertLockedAccounts,
  insertStatements,
  readParties,
  writeLocked,
  writeOpen,
  type FrozenLine,
  type FrozenStatement,
} from './lock-queries.ts'
import { checkOf } from './checks.ts'
import { readMonth, type MonthState } from './month-checks.ts'
import { readAgreements } from '#server/resources/advertisers/fee-agreement-queries.ts'
import { scopeOf, type Moment } from './read-spend.ts'
import { rowsOfNobody } from './rows.ts'
import { warningsOf, type Frozen } from './statements.ts'

interface LockRequest {
  month: string
  waive: readonly { ad_account: number; reason: string }[]
  first: boolean
}

/** Freezes what every customer owes for a month, all or nothing. Returns how many statements there are. */
export async function lockMonth(
  trx: Trx,
  { month, waive, first }: LockRequest,
  { user, moment }: { user: number; moment: Moment },
): Promise<number> {
  await holdMonths(trx)
  if ((await lockedMonths(trx, [month])).length > 0)
    throw refuse('month_locked', { extra: { months: [month] } })
  const waived = waive.map(({ ad_account }) => ad_account)
  const state = await readMonth(trx, moment, { month, waived, is_first: first })
  refuseUnknown(state.accounts, waived)
  const blockers = state.checks.filter(({ is_blocker }) => is_blocker)
  if (blockers.length > 0) throw refuse('lock_blocked', { extra: { blockers } })

  const waivers = waive.filter(({ ad_account }) =>
    state.accounts.some(account => account.ad_account === ad_account && needsWaiver(account)),
  )
  await writeLocked(trx, { month, user, now: moment.now, waivers })
  await freeze(trx, month, state)
  await insertLockedAccounts(trx, await scopeOf(trx, moment, { months: [month], waived }))
  const statements = state.statements.length
  const detail = {
    statements,
    changes: { state: { from: 'open', to: 'locked' }, waivers: { from: [], to: waivers } },
  }
  await noteMonth(trx, { month, action: 'lock', user, detail, now: moment.now })
  return statements
}

function refuseUnknown(accounts: readonly AccountMonth[], waived: readonly number[]) {
  const known = new Set(accounts.map(({ ad_account }) => ad_account))
  if (waived.some(account => !known.has(account)))
    throw refuse('invalid', { fields: { waive: ['account_unknown'] } })
}

const needsWaiver = ({ known, invoice, advertiser, cost }: AccountMonth) =>
  (known !== 'full' && invoice === null) || (advertiser === null && (invoice ?? cost ?? '0') !== '0')

async function freeze(trx: Trx, month: string, { statements, groups, accounts, rates }: MonthState) {
  const parties = await readParties(
    trx,
    statements.map(({ customer }) => customer.id),
  )
  const covering = await coveringOrders(trx, month, billedChannels(statements))
  const agreements = await readAgreements(trx, { from: month, to: month })
  const ratesUsed = Object.fromEntries(rates.get(month)?.rates ?? [])
  const frozen = statements.map((statement): FrozenStatement => {
    const { customer, currency } = statement
    const sides = parties.get(customer.id)
    if (!sides) throw new Error(`no advertiser ${customer.id}`)
    const frozenWith: Frozen = {
      ...sides,
      warnings: warningsOf(statement, accounts),
      agreements: agreements
        .filter(
          each => each.advertiser === customer.id && each.currency === currency && isInForce(each, month),
        )
        .map(({ id }) => id),
      rates: ratesUsed,
    }
    const order = covering.find(each => each.advertiser === customer.id && each.currency === currency)
    return { ...amountsOf(statement), frozen: frozenWith, covered_by: order?.quotation ?? null }
  })
  const ids = new Map(
    (await insertStatements(trx, month, frozen)).map(row => [`${row.advertiser} ${row.currency}`, row.id]),
  )
  const lines = statements.flatMap(({ customer, currency, lines: own }) =>
    own.map(({ is_provisional: _is_provisional, code: _code, ...line }): FrozenLine => ({
      ...line,
      statement: ids.get(`${customer.id} ${currency}`) ?? null,
      advertiser: customer.id,
      billing_currency: currency,
    })),
  )
  await insertLines(trx, month, [...lines, ...rowsOfNobody(groups).map(lineOfNobody)])
}

function amountsOf({ customer, currency, ...statement }: LiveStatement) {
  const { tax, media_billing } = customer
  return {
    advertiser: customer.id,
    currency,
    tax,
    media_billing,
    media: knownAmount(statement.media),
    fee: knownAmount(statement.fee),
    untaxed: knownAmount(statement.untaxed),
    taxable: knownAmount(statement.taxable),
    tax_amount: knownAmount(statement.tax_amount),
    total: knownAmount(statement.total),
  }
}

/** What is not known keeps a month from being locked. */
function knownAmount(amount: bigint | null): bigint {
  if (amount === null) throw new Error('an amount of a month without blockers is not known')
  return amount
}

const lineOfNobody = ({
  channel,
  currency,
  spend,
  invoiced,
}: ReturnType<typeof rowsOfNobody>[number]): FrozenLine => ({
  statement: null,
  advertiser: null,
  channel: channel ?? '',
  currency,
  spend: spend === null ? null : BigInt(spend),
  invoiced: invoiced === null ? null : BigInt(invoiced),
  adjusted: 0n,
  rate: null,
  billing_currency: null,
  billed: null,
  fee: null,
  tax_amount: null,
  total: null,
})

/** Opens the last locked month again: its statements are live from now on. */
export async function unlockMonth(
  trx: Trx,
  { month, reason }: { month: string; reason: string },
  { user, now }: { user: number; now: Date },
): Promise<number> {
  await holdMonths(trx)
  const locked = await lockedMonths(trx)
  if (!locked.includes(month))
    throw refuse('state_not_allowed', { extra: { state: 'open', allowed: ['lock'] } })
  const later = locked.filter(each => each > month)
  if (later.length > 0) {
    const blockers: Check[] = later.map(each => checkOf('later_month_locked', each))
    throw refuse('lock_blocked', { extra: { blockers } })
  }
  const payments = await countPayments(trx, month)
  if (payments > 0) throw refuse('in_use', { extra: { by: { payments } } })
  const drift = await deleteBookedDrift(trx, month)
  const statements = await deleteFrozen(trx, month, now)
  await writeOpen(trx, month)
  const detail = { statements, reason, changes: { state: { from: 'locked', to: 'open' } } }
  await noteMonth(trx, { month, action: 'unlock', user, detail, now })
  await writeAuditLines(
    trx,
    drift.map(({ id, ...row }) => ({
      actor: user,
      action: 'adjustment.delete',
      object: 'adjustment',
      object_id: id,
      detail: row,
    })),
    now,
  )
  return statements
}

export const noteMonth = (
  trx: Trx,
  line: {
    month: string
    action: 'lock' | 'unlock' | 'bill' | 'import'
    user: number
    detail: object
    now: Date
  },
): Promise<void> =>
  writeAuditLines(
    trx,
    [
      {
        actor: line.user,
        action: `month.${line.action}`,
        object: 'month',
        object_id: line.month,
        detail: { name: line.month, ...line.detail },
      },
    ],
    line.now,
  )
