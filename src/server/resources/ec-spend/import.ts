import type { ImportReply } from '#shared/api/customers.ts'
import { Month, SpendChannel } from '#shared/api/money.ts'
import { todayIn } from '#shared/date-range.ts'
import type { ErrorCode } from '#shared/errors.ts'
import { MILLIONTHS } from '#shared/money.ts'
import type { Trx } from '#server/db/transaction.ts'
import type { ImportColumn, ImportFile } from '#server/import-file.ts'
import { importAccounts, storedMonths, type ImportAccount, type ImportedMonth } from './import-queries.ts'

export const importColumns: readonly ImportColumn[] = [
  { field: 'month', header: { en: 'Month', 'zh-TW': '月份' }, read: text => text },
  { field: 'account', header: { en: 'Account ID', 'zh-TW': '帳戶 ID' }, read: text => text },
  { field: 'channel', header: { en: 'Channel', 'zh-TW': '管道' }, read: text => text || undefined },
  { field: 'cost', header: { en: 'Cost', 'zh-TW': '花費' }, read: text => text },
]

export const requiredColumns = ['month', 'account', 'cost']

export interface ImportPlan {
  months: ImportedMonth[]
  /** Of the same accounts and months, what was there. */
  before: ReadonlyMap<string, number | null>
  reply: ImportReply
}

/** What a file of costs would do; each row for itself. */
export async function planImport(
  trx: Trx,
  file: ImportFile,
  { now, locked }: { now: Date; locked: readonly string[] },
): Promise<ImportPlan> {
  const accounts = accountsByKey(await importAccounts(trx))
  const problems = [...file.problems]
  const months = new Map<string, ImportedMonth>()
  for (const { row, values } of file.problems.length > 0 ? [] : file.rows) {
    const read = readRow(values, { accounts, now, locked })
    if ('code' in read) problems.push({ row, ...read })
    else if (months.has(keyOf(read))) problems.push({ row, field: 'account', code: 'field_invalid' })
    else months.set(keyOf(read), read)
  }
  const all = [...months.values()]
  const stored = await storedMonths(trx, {
    accounts: [...new Set(all.map(({ ad_account }) => ad_account))],
    months: [...new Set(all.map(({ month }) => month))],
  })
  const imported = new Map(
    stored.filter(({ origin }) => origin === 'import').map(each => [keyOf(each), each.cost]),
  )
  const isSame = (each: ImportedMonth) => (imported.get(keyOf(each)) ?? null) === each.cost
  const before = new Map(stored.map(each => [keyOf(each), each.cost]))
  const changing = all.filter(each => !isSame(each))
  const create = changing.filter(each => !before.has(keyOf(each))).length
  return {
    months: changing,
    before,
    reply: { create, change: changing.length - create, same: all.length - changing.length, problems },
  }
}

export const keyOf = ({ ad_account, month }: { ad_account: number; month: string }) =>
  `${month} ${ad_account}`

/** By the platform's id, with dashes or without. */
const accountsByKey = (accounts: readonly ImportAccount[]) =>
  Map.groupBy(accounts, ({ external_id }) => plain(external_id))
const plain = (id: string) => id.replaceAll('-', '').toLowerCase()

type Fault = { field: string; code: ErrorCode }

function readRow(
  values: Record<string, unknown>,
  context: { accounts: ReadonlyMap<string, ImportAccount[]>; now: Date; locked: readonly string[] },
): ImportedMonth | Fault {
  const month = Month.safeParse(values['month'])
  if (!month.success) return { field: 'month', code: 'field_invalid' }
  if (context.locked.includes(month.data)) return { field: 'month', code: 'month_locked' }
  const channel = SpendChannel.optional().safeParse(values['channel'])
  if (!channel.success) return { field: 'channel', code: 'field_invalid' }
  const found = (context.accounts.get(plain(String(values['account']))) ?? []).filter(
    account => channel.data === undefined || account.channel === channel.data,
  )
  const [account, ...others] = found
  if (!account) return { field: 'account', code: 'account_unknown' }
  if (others.length > 0) return { field: 'account', code: 'account_ambiguous' }
  if (month.data >= todayIn(account.timezone, context.now).slice(0, 7))
    return { field: 'month', code: 'time_in_future' }
  const cost = readCost(String(values['cost']))
  if (cost === undefined) return { field: 'cost', code: 'field_invalid' }
  return { ad_account: account.id, month: month.data, cost }
}

/** In units; nothing takes back what was imported. */
function readCost(text: string): number | null | undefined {
  if (text === '') return null
  const match = /^(-?)(\d{1,9}|\d{1,3}(?:,\d{3}){1,2})(?:\.(\d{1,6}))?$/.exec(text)
  if (!match) return undefined
  const [, sign, whole = '', decimals = ''] = match
  const millionths = Number(whole.replaceAll(',', '')) * MILLIONTHS + Number(decimals.padEnd(6, '0'))
  return sign === '-' ? -millionths : millionths
}
