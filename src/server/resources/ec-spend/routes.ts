import { EcSpend, EcSpendQuery, type EcSpendRow } from '#shared/api/ec-spend.ts'
import type { Text } from '#shared/language.ts'
import { MILLIONTHS } from '#shared/money.ts'
import type { Db } from '#server/db/connect.ts'
import { csvOf, type CsvColumn } from '#server/http/csv.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import { lockedMonths } from '#server/resources/insight-settings/month-queries.ts'
import { baseCurrency } from '#server/resources/insight-settings/rate-queries.ts'
import { actionRoutes } from './action-routes.ts'
import { countWaiting, oldestRefresh } from './account-queries.ts'
import { adjustmentRoutes } from './adjustment-routes.ts'
import { documentRoutes } from './document-routes.ts'
import { importRoutes } from './import-routes.ts'
import { invoiceRoutes } from './invoice-routes.ts'
import { EC_SPEND, monthRoutes } from './month-routes.ts'
import { monthsBetween } from './months.ts'
import { readMonths } from './queries.ts'
import { asOfOneMoment, readRows, scopeOf, type Moment } from './read-spend.ts'
import { totalsOf } from './rows.ts'

const read = route('GET', EC_SPEND, {
  summary: 'Get what advertisers spend and owe by month, channel and currency.',
  level: 'director_or_finance',
  // Directors and finance see every advertiser here; their accounts, only in reports.
  rows: 'every',
  query: EcSpendQuery,
  reply: EcSpend,
  transaction: 'own',
  async run({ query, db, now, effects: { settings } }) {
    refuseTooMany(query)
    const moment = { now, time_zone: settings.time_zone }
    return await asOfOneMoment(db, trx => readSpend(trx, moment, query))
  },
  async csv({ query, db, now, effects: { settings } }) {
    refuseTooMany(query)
    const months = monthsBetween(query.from, query.to)
    return csvOf(
      TITLE,
      columns,
      monthByMonth(db, { now, time_zone: settings.time_zone }, { ...query, months }),
    )
  },
})

/** Accounts are shown of one advertiser, or of one month. */
function refuseTooMany({ group, advertiser, from, to }: EcSpendQuery) {
  if (group === 'account' && advertiser === undefined && from !== to)
    throw refuse('invalid', { fields: { group: ['field_invalid'] } })
}

async function readSpend(db: Db, moment: Moment, query: EcSpendQuery): Promise<EcSpend> {
  const months = monthsBetween(query.from, query.to)
  const locked = await lockedMonths(db, months)
  const rows = await readRows(db, moment, { ...query, months, locked })
  const open = months.filter(month => !locked.includes(month))
  const { advertiser } = query
  const oldest = await oldestRefresh(db, advertiser)
  return {
    months: await readMonths(db, months),
    rows,
    totals: totalsOf(rows),
    base_currency: await baseCurrency(db),
    as_of: oldest?.toISOString() ?? null,
    waiting: await countWaiting(db, await scopeOf(db, moment, { months: open, advertiser })),
  }
}

async function* monthByMonth(
  db: Db,
  moment: Moment,
  { months, ...query }: EcSpendQuery & { months: readonly string[] },
): AsyncGenerator<readonly EcSpendRow[]> {
  for (const month of months)
    yield await asOfOneMoment(db, async trx => {
      const locked = await lockedMonths(trx, [month])
      return await readRows(trx, moment, { ...query, months: [month], locked })
    })
}

const TITLE: Text = { en: 'EC spending', 'zh-TW': 'EC 花費' }

const amount = (value: number | null) => (value === null ? null : value / MILLIONTHS)

const columns: readonly CsvColumn<EcSpendRow>[] = [
  { header: { en: 'Month', 'zh-TW': '月份' }, cell: ({ month }) => month },
  {
    header: { en: 'Advertiser', 'zh-TW': '廣告主' },
    cell: ({ advertiser_name }, language) =>
      advertiser_name ?? { en: 'No advertiser', 'zh-TW': '未歸戶' }[language],
  },
  { header: { en: 'Channel', 'zh-TW': '管道' }, cell: ({ channel }) => channel },
  { header: { en: 'Account', 'zh-TW': '帳戶' }, cell: ({ account_name }) => account_name },
  { header: { en: 'Account currency', 'zh-TW': '帳戶幣別' }, cell: ({ currency }) => currency },
  { header: { en: 'Reported', 'zh-TW': '回報花費' }, cell: ({ spend }) => amount(spend) },
  { header: { en: 'By invoice', 'zh-TW': '依平台發票' }, cell: ({ invoiced }) => amount(invoiced) },
  { header: { en: 'Adjustments', 'zh-TW': '調整' }, cell: ({ adjusted }) => amount(adjusted) },
  { header: { en: 'Billing currency', 'zh-TW': '請款幣別' }, cell: row => row.billing_currency },
  { header: { en: 'Billed', 'zh-TW': '請款金額' }, cell: ({ billed }) => amount(billed) },
  { header: { en: 'Service fee', 'zh-TW': '服務費' }, cell: ({ fee }) => amount(fee) },
  { header: { en: 'Tax', 'zh-TW': '稅額' }, cell: ({ tax_amount }) => amount(tax_amount) },
  { header: { en: 'Total', 'zh-TW': '總計' }, cell: ({ total }) => amount(total) },
  {
    header: { en: 'State', 'zh-TW': '狀態' },
    cell: ({ code, is_provisional }, language) => {
      if (code !== null) return codeTexts[code][language]
      return is_provisional ? { en: 'Provisional', 'zh-TW': '暫計' }[language] : ''
    },
  },
]

const codeTexts: Record<NonNullable<EcSpendRow['code']>, Text> = {
  days_unknown: { en: 'Spend not known', 'zh-TW': '花費未知' },
  rate_missing: { en: 'Exchange rate missing', 'zh-TW': '缺少匯率' },
}

export const ecSpendRoutes = [
  read,
  ...monthRoutes,
  ...documentRoutes,
  ...invoiceRoutes,
  ...adjustmentRoutes,
  ...importRoutes,
  ...actionRoutes,
]
