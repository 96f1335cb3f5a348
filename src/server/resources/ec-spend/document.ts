import { todayIn } from '#shared/date-range.ts'
import type { Trx } from '#server/db/transaction.ts'
import { refuse } from '#server/http/refusal.ts'
import type { PdfInput } from '#server/pdf/renderer.ts'
import { findIssuer } from '#server/resources/issuer/queries.ts'
import { readParties } from './lock-queries.ts'
import { readMonths } from './queries.ts'
import type { Moment } from './read-spend.ts'
import { lockedStatements } from './statement-queries.ts'
import { Frozen, readLocked, readOpen } from './statements.ts'

type StatementInput = Extract<PdfInput, { kind: 'statement' }>

interface Printed {
  month: string
  advertiser: number
  currency: string
}

/** A statement as it is printed: as it was frozen, or a draft, as far as it is known. */
export async function printedStatement(trx: Trx, moment: Moment, printed: Printed): Promise<StatementInput> {
  const { month, advertiser, currency } = printed
  const [state] = await readMonths(trx, [month])
  const isLocked = state?.state === 'locked'
  const results = await (isLocked ? readLocked : readOpen)(trx, moment, { month, advertiser })
  const statement = results.find(each => each.currency === currency)
  if (!statement) throw refuse('not_found')
  const { logo } = await findIssuer(trx)
  const { parties, payment_terms, language } = await sidesOf(trx, printed, isLocked)
  const at = isLocked && state?.locked_at ? new Date(state.locked_at) : moment.now
  return {
    ...statement,
    kind: 'statement',
    is_draft: !isLocked,
    language,
    number: null,
    issue_on: todayIn(moment.time_zone, at),
    issuer: { ...parties.issuer, logo },
    buyer: parties.buyer,
    payment_terms,
    adjustments: statement.adjustments.filter(({ channel, currency: of }) =>
      statement.lines.some(line => line.channel === channel && line.currency === of),
    ),
  }
}

async function sidesOf(trx: Trx, { month, advertiser, currency }: Printed, isLocked: boolean) {
  if (!isLocked) {
    const sides = (await readParties(trx, [advertiser])).get(advertiser)
    if (!sides) throw refuse('not_found')
    return sides
  }
  const statements = await lockedStatements(trx, { month, advertiser })
  return Frozen.parse(statements.find(each => each.currency === currency)?.frozen)
}
