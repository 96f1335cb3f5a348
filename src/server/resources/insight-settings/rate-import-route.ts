import { ImportBody, ImportReply } from '#shared/api/customers.ts'
import { RateImportQuery, type RateFormat } from '#shared/api/insight-settings.ts'
import { todayIn } from '#shared/date-range.ts'
import type { Language } from '#shared/language.ts'
import { monthOf } from '#shared/month.ts'
import type { Trx } from '#server/db/transaction.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import { importReply } from '#server/import-file.ts'
import { changedFields } from '#server/resources/audit/changed-fields.ts'
import { writeAuditLines } from '#server/resources/audit/queries.ts'
import { holdOpen, lockedMonths } from './month-queries.ts'
import { readRateFile, type ReadRate } from './rate-files.ts'
import { planRates, type RatePlan } from './rate-import.ts'
import { heldBaseCurrency, holdRates, writeRates } from './rate-queries.ts'

export const rateImportRoute = route('POST', '/api/insight-setting/rates/import/', {
  summary:
    'Import exchange rates from a CSV file: month, currency, rate; a day’s file of Bank of Taiwan for a month; or the history of the ECB. With `dry_run` it only says what would happen.',
  level: 'manager_or_finance',
  kind: 'import',
  query: RateImportQuery,
  body: ImportBody,
  takes_form: true,
  reply: ImportReply,
  async run({ query, body: { file }, user, db, now, effects: { settings } }) {
    await holdOpen(db, [])
    const locked = await lockedMonths(db)
    const base = await heldBaseCurrency(db)
    const stored = await holdRates(db)
    const { format, ...read } = await readRateFile(file, query, { base, stored })
    const running = monthOf(todayIn(settings.time_zone, now))
    const sourceOf = (rate: ReadRate) => rate.source ?? sources[format](query.price, rate)[user.language]
    const plan = planRates(read, { base, stored, locked, running, sourceOf })
    const { problems } = plan.reply
    if (!query.dry_run && problems.some(({ code }) => code === 'month_locked'))
      throw refuse('month_locked', { extra: plan.reply })
    const reply = importReply(plan.reply, query)
    if (query.dry_run || plan.rates.length === 0) return reply
    await writeRates(db, plan.rates, now)
    await noteImport(db, plan, { user: user.id, now })
    return reply
  },
})

/** Whose the rates are, in the language of the person who imports them. */
const sources: Record<
  RateFormat,
  (price: RateImportQuery['price'], rate: ReadRate) => Record<Language, string>
> = {
  plain: () => ({ en: '', 'zh-TW': '' }),
  bank_of_taiwan: price => ({
    en: `Bank of Taiwan, spot ${price}`,
    'zh-TW': `臺灣銀行即期${{ buy: '買入', sell: '賣出', middle: '中價' }[price]}`,
  }),
  ecb: (_, { day = '' }) => ({ en: `ECB, ${day}`, 'zh-TW': `歐洲央行 ${day}` }),
}

/** A line for each month, with its rates by currency. */
async function noteImport(
  trx: Trx,
  { rates, before }: RatePlan,
  { user, now }: { user: number; now: Date },
): Promise<void> {
  const lines = [...Map.groupBy(rates, ({ month }) => month)].map(([month, ofMonth]) => {
    const old = ofMonth.map(({ currency }) => [currency, before.get(`${month} ${currency}`)?.rate ?? null])
    const after = ofMonth.map(({ currency, rate }) => [currency, rate])
    const changes = changedFields(Object.fromEntries(old), Object.fromEntries(after))
    const detail = { name: month, rates: ofMonth.length, changes }
    return { actor: user, action: 'rate.import', object: 'rate', object_id: month, detail }
  })
  await writeAuditLines(trx, lines, now)
}
