import {
  CreateExchangeRate,
  ExchangeRate,
  ExchangeRateList,
  ExchangeRateQuery,
  UpdateExchangeRate,
} from '#shared/api/insight-settings.ts'
import { IdPath } from '#shared/api/list.ts'
import { OfVersion } from '#shared/api/money.ts'
import type { Db } from '#server/db/connect.ts'
import type { Trx } from '#server/db/transaction.ts'
import { pageOf } from '#server/http/list.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import { changedFields } from '#server/resources/audit/changed-fields.ts'
import { holdOpen } from './month-queries.ts'
import { ratesCsv } from './rate-csv.ts'
import {
  baseCurrency,
  currenciesInUse,
  deleteRate,
  findRate,
  heldBaseCurrency,
  insertRate,
  listRates,
  lockRate,
  plainRate,
  updateRate,
  type ListedRate,
} from './rate-queries.ts'
import { noteSetting } from './scope.ts'

const PATH = '/api/insight-setting/rates/'

const list = route('GET', PATH, {
  summary: 'List the exchange rates by month: units of the base currency for one of another.',
  level: 'staff',
  // They are of no advertiser; which months are locked, staff cannot read themselves.
  rows: 'every',
  query: ExchangeRateQuery,
  reply: ExchangeRateList,
  async run({ query, db, request }) {
    const { count, rows } = await listRates(db, query)
    const base = await baseCurrency(db)
    const used = await currenciesInUse(db)
    const page = pageOf(request.url, query, { count, results: rows.map(present) })
    return { ...page, base, in_use: used.filter(currency => currency !== base) }
  },
  csv: async ({ query, db }) => ratesCsv(db, query),
})

const create = route('POST', PATH, {
  summary: 'Enter the rate of a currency for a month.',
  level: 'manager_or_finance',
  body: CreateExchangeRate,
  reply: ExchangeRate,
  status: 201,
  async run({ body, user, db, now }) {
    if (body.currency === (await heldBaseCurrency(db)))
      throw refuse('invalid', { fields: { currency: ['rate_of_base'] } })
    const id = await insertRate(db, body, now)
    const detail = { name: nameOf(body), changes: changedFields({}, body) }
    await noteSetting(db, { action: 'rate.create', id, user, now, detail })
    return await show(db, id)
  },
})

const update = route('PATCH', `${PATH}:id/`, {
  summary: 'Change a rate, unless a locked month has been converted with it.',
  level: 'manager_or_finance',
  params: IdPath,
  body: UpdateExchangeRate,
  reply: ExchangeRate,
  async run({ params: { id }, body: { version, ...changes }, user, db, now }) {
    const before = await changeable(db, { id, version })
    await updateRate(db, id, { ...changes, now })
    const detail = { name: nameOf(before), changes: changedFields(before, changes) }
    await noteSetting(db, { action: 'rate.change', id, user, now, detail })
    return await show(db, id)
  },
})

const remove = route('DELETE', `${PATH}:id/`, {
  summary: 'Delete a rate, unless a locked month has been converted with it.',
  level: 'manager_or_finance',
  params: IdPath,
  body: OfVersion,
  async run({ params: { id }, body: { version }, user, db, now }) {
    const { month, currency, rate, kind } = await changeable(db, { id, version })
    await deleteRate(db, id)
    const gone = { month: null, currency: null, rate: null, kind: null }
    const detail = {
      name: nameOf({ month, currency }),
      changes: changedFields({ month, currency, rate, kind }, gone),
    }
    await noteSetting(db, { action: 'rate.delete', id, user, now, detail })
  },
})

const nameOf = ({ month, currency }: { month: string; currency: string }) => `${month} ${currency}`

/** The rate as it was read; what locked months have been converted with stays. */
async function changeable(trx: Trx, { id, version }: { id: number; version: number }): Promise<ExchangeRate> {
  await holdOpen(trx, [])
  const row = await lockRate(trx, id)
  if (!row) throw refuse('not_found')
  if (row.is_locked) throw refuse('month_locked', { extra: { months: [row.month] } })
  if (row.version !== version) throw refuse('conflict', { extra: { rate: present(row) } })
  return present(row)
}

async function show(db: Db, id: number): Promise<ExchangeRate> {
  const row = await findRate(db, id)
  if (!row) throw refuse('not_found')
  return present(row)
}

const present = (row: ListedRate): ExchangeRate => ({
  ...row,
  rate: plainRate(row.rate),
  last_modified_at: row.last_modified_at.toISOString(),
})

export const rateRoutes = [list, create, update, remove]
