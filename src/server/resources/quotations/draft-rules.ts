import { whyNotShares } from '#shared/billing/payment-schedule.ts'
import type { QuotationSums } from '#shared/billing/quotation.ts'
import { isOnStep } from '#shared/billing/step.ts'
import type { Channel } from '#shared/channels/catalogue.ts'
import type { ErrorCode } from '#shared/errors.ts'
import type { Draft, DraftLine } from './draft.ts'

/** The longest line. */
const MOST_DAYS = 400

export interface DraftFacts {
  has_agent: boolean
  /** Whether the owner is one of the agency's own people. */
  is_owner: boolean
  /** Accounts of the advertiser. */
  accounts: ReadonlyMap<number, Channel>
  sums: QuotationSums
}

/** What is wrong with a draft, by field. */
export function problemsOf(draft: Draft, facts: DraftFacts): Record<string, ErrorCode[]> {
  const { agent, bill_to, schedule, currency, discount, fee_minimum } = draft
  const { refusal } = facts.sums
  const problems: [field: string, code: ErrorCode | false | null][] = [
    ['agent', agent !== null && !facts.has_agent && 'field_not_available'],
    ['agent', agent === null && bill_to === 'agent' && 'field_required'],
    ['owner', !facts.is_owner && 'field_not_available'],
    ['discount', !isOnStep(BigInt(discount), currency) && 'amount_step'],
    ['fee_minimum', !isOnStep(BigInt(fee_minimum), currency) && 'amount_step'],
    ['schedule', schedule.length > 0 && whyNotShares(schedule.map(({ share }) => share))],
    ['discount', refusal === 'taxable_negative' && 'discount_too_large'],
    ['lines', refusal === 'document_too_large' && 'document_too_large'],
    ...draft.lines.flatMap((line, index) =>
      lineProblems(line, { accounts: facts.accounts, currency }).map(
        ([field, code]) => [`lines.${index}.${field}`, code] as [string, ErrorCode],
      ),
    ),
  ]
  const found = problems.flatMap(([field, code]) => (code ? [{ field, code }] : []))
  return Object.fromEntries(
    [...Map.groupBy(found, ({ field }) => field)].map(([field, each]) => [
      field,
      each.map(({ code }) => code),
    ]),
  )
}

function lineProblems(
  line: DraftLine,
  { accounts, currency }: { accounts: DraftFacts['accounts']; currency: string },
): [field: string, code: ErrorCode][] {
  const { channel, publisher, title, start, end, pricing, budget, typed_spent } = line
  const isAmount = (amount: number) => isOnStep(BigInt(amount), currency)
  const problems: [field: string, code: ErrorCode | false][] = [
    ['title', channel === null && publisher === '' && title === '' && 'field_required'],
    ['end', !isSpan(start, end) && 'field_invalid'],
    ['budget', pricing === 'budget' && !isAmount(budget) && 'amount_step'],
    ['typed_spent', typed_spent !== null && !isAmount(typed_spent) && 'amount_step'],
    ['accounts', !line.accounts.every(id => isOf(accounts.get(id), channel)) && 'account_unknown'],
  ]
  return problems.flatMap(([field, code]) => (code ? [[field, code]] : []))
}

function isSpan(start: string, end: string): boolean {
  if (end < start) return false
  const { days } = Temporal.PlainDate.from(start).until(end, { largestUnit: 'days' })
  return days < MOST_DAYS
}

/** A line of a channel is delivered in accounts of that channel. */
const isOf = (account: Channel | undefined, channel: DraftLine['channel']) =>
  account !== undefined && (channel === null || account === channel)
