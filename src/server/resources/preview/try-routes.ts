import { TriedFormula, TryFormula } from '#shared/api/insight-settings.ts'
import { CreateReport } from '#shared/api/reports.ts'
import type { Preview } from '#shared/api/preview.ts'
import { calculatedId, noMeanings } from '#shared/block-catalogue.ts'
import { accountChannelOf } from '#shared/channels/all.ts'
import { dayOfSerial } from '#shared/cell-text.ts'
import { todayIn } from '#shared/date-range.ts'
import { whyNotCalculated } from '#shared/formula-channels.ts'
import { disconnectSignal } from '#server/http/disconnect.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import { usableAccounts } from '#server/resources/ad-accounts/queries.ts'
import { advertisersOf } from '#server/resources/people/queries.ts'

/** Days that a formula is tried with. */
const DAYS = 30

const tryFormula = route('POST', '/api/insight-setting/metrics/try/', {
  summary: 'Work out a formula for the last 30 days of an account. Nothing is saved.',
  level: 'staff',
  transaction: 'own',
  kind: 'preview',
  body: TryFormula,
  reply: TriedFormula,
  async run({ body, user, db, now, effects, reply }) {
    const { formula, unit, decimals, ad_account } = body
    const problem = whyNotCalculated({ formula, unit })
    if (problem) throw refuse('invalid', { fields: { formula: [withPlace(problem)] } })
    const [account] = await usableAccounts(db, { advertisers: await advertisersOf(db, user) }, [ad_account])
    const channel = body.channel ?? account?.channel
    if (!account || !channel || accountChannelOf(channel) !== account.channel)
      throw refuse('invalid', { fields: { ad_account: ['field_not_available'] } })
    const end = Temporal.PlainDate.from(todayIn(account.timezone, now)).subtract({ days: 1 })
    const texts = { name: ' ', name_zh: ' ', explanation: '' }
    const tried = { id: TRIED, advertiser: null, ...texts, formula, unit, decimals, is_active: true }
    const preview = await effects.preview(db, {
      person: user.id,
      isInternal: true,
      report: {
        ...CreateReport.parse({
          channels: [{ channel, accounts: [account.id], metrics: [calculatedId(TRIED)] }],
        }),
        report: null,
        header_language: user.language,
        timezone: account.timezone,
      },
      meanings: { ...noMeanings, metrics: [tried] },
      accounts: [account.id],
      range: { start: end.subtract({ days: DAYS - 1 }).toString(), end: end.toString() },
      last_rows: null,
      signal: disconnectSignal(reply),
      now,
    })
    return { channel, currency: account.currency, ...resultOf(preview) }
  },
})

/** The id of a metric that is not stored, in a plan that has no other. */
const TRIED = 1

const withPlace = ({
  code,
  at,
}: {
  code: 'formula_syntax' | 'formula_unknown' | 'formula_units'
  at: number
}) => ({
  code,
  detail: { at },
})

function resultOf({ rows, totals, blocks, code }: Preview): Pick<TriedFormula, 'days' | 'total' | 'code'> {
  const numberOf = (cell: string | number | undefined) => (typeof cell === 'number' ? cell : null)
  const [block] = blocks
  const isKnown = block?.status === 'ok' || block?.status === 'no_data'
  return {
    days: rows.map(([serial, value]) => ({ day: dayOfSerial(Number(serial)), value: numberOf(value) })),
    total: numberOf(totals?.[1]),
    code: isKnown ? null : (block?.code ?? code ?? 'platform_timeout'),
  }
}

export const tryRoutes = [tryFormula]
