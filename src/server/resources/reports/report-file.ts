import { Document, parseDocument } from 'yaml'
import { z } from 'zod'
import { Block, CreateReport } from '#shared/api/reports.ts'
import { accountChannelOf } from '#shared/channels/all.ts'
import type { Db } from '#server/db/connect.ts'
import { usableAccounts, type OwnerAccess } from '#server/resources/runs/access.ts'
import type { AccountFacts } from '#server/resources/runs/plan.ts'
import type { ReportTable } from './queries.ts'
import { rangeOf } from './rules.ts'

/** An account as a person writes it down: by its id at the platform, or by its name. */
const AccountText = z.union([z.string().min(1), z.number().int().positive().transform(String)])

/** A report as a file: what the API takes to make one, with accounts by name. */
const ReportFile = CreateReport.omit({ folder: true }).extend({
  channels: z.array(Block.extend({ accounts: z.array(AccountText) })).default([]),
})
export type ReportFile = z.infer<typeof ReportFile>

/** One that can be run as it is. */
const RunnableFile = ReportFile.extend({
  name: z.string().trim().min(1).max(120),
  spreadsheet_url: z.string().min(1).max(2000),
  sheet_name: z.string().min(1).max(200),
  channels: z.array(Block.extend({ accounts: z.array(AccountText).min(1) })).min(1),
})

/** Reads YAML; answers the report, or everything that is wrong with it, each with the place where it is. */
export const readReportFile = (text: string) => readFile(text, ReportFile)
/** The same of a report that shall be run at once. */
export const readRunnableFile = (text: string) => readFile(text, RunnableFile)

function readFile<File>(text: string, schema: z.ZodType<File>): { file: File } | { problems: string[] } {
  const document = parseDocument(text, { uniqueKeys: true, intAsBigInt: true })
  if (document.errors.length > 0) return { problems: document.errors.map(error => error.message) }
  const value = valueOf(document)
  if (value === undefined) return { problems: ['the file: it repeats itself too often'] }
  if (hasStrangeText(value)) return { problems: ['the file: a text has characters that nothing can show'] }
  const read = schema.safeParse(value)
  if (read.success) return { file: read.data }
  return {
    problems: read.error.issues.map(issue => `${issue.path.join('.') || 'the file'}: ${issue.message}`),
  }
}

/** Ten aliases are more than a report needs, and far fewer than a file that grows to gigabytes when it is read. */
function valueOf(document: ReturnType<typeof parseDocument>): unknown {
  try {
    return plain(document.toJS({ maxAliasCount: 10 }) ?? {})
  } catch {
    return undefined
  }
}

/** A NUL or half a surrogate pair, which YAML can spell and a database cannot keep. */
function hasStrangeText(value: unknown): boolean {
  if (typeof value === 'string') return /[\0\p{Surrogate}]/u.test(value)
  return value instanceof Object && Object.values(value).some(hasStrangeText)
}

/** Whole numbers as numbers where they are exact, else as text: an account id can have more digits than a number holds. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
  if (Array.isArray(value)) return value.map(plain)
  if (value instanceof Object)
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plain(each)]))
  return value
}

/** The report with the ids of its accounts, of those that its owner may use; or the accounts that are none of these. */
export async function resolveAccounts(
  db: Db,
  file: ReportFile,
  access: Pick<OwnerAccess, 'advertisers'>,
): Promise<{ report: CreateReport } | { problems: string[] }> {
  const all = await db.selectFrom('ad_account').select('id').execute()
  const usable = await usableAccounts(
    db,
    access,
    all.map(row => row.id),
  )
  const problems: string[] = []
  const channels = file.channels.map((block, index) => {
    const of_channel = usable.filter(account => account.channel === accountChannelOf(block.channel))
    const accounts = block.accounts.flatMap(wanted => {
      const found = of_channel.filter(({ external_id, name, property_name }) =>
        [external_id, name, property_name].includes(wanted),
      )
      if (found.length === 1) return found.map(account => account.id)
      const why =
        found.length === 0 ? 'there is no such account' : 'several accounts have this name; write its id'
      problems.push(`channels.${index}.accounts: ${wanted}: ${why}`)
      return []
    })
    return { ...block, accounts }
  })
  return problems.length > 0 ? { problems } : { report: { ...file, folder: null, channels } }
}

/**
 * The report as a file that `readReportFile` reads back: accounts by their ids at the platform, with their names as remarks. Of accounts that the
 * asking person may not use nothing is told.
 */
export function writeReportFile(report: ReportTable, accounts: readonly AccountFacts[]): string {
  const document = new Document({
    name: report.name,
    spreadsheet_url: report.spreadsheet_url,
    sheet_name: report.sheet_name,
    start_cell: report.start_cell,
    timezone: report.timezone,
    header_language: report.header_language,
    arrangement: report.arrangement,
    fill_zero: report.fill_zero,
    dimensions: report.dimensions,
    date_range: rangeOf(report),
    update_frequency: report.update_frequency,
    update_time: report.update_time,
    update_day_of_week: report.update_day_of_week,
    update_day_of_month: report.update_day_of_month,
  })
  document.set(
    'channels',
    document.createNode(report.channels.map(block => blockNode(document, block, accounts))),
  )
  return document.toString({ lineWidth: 0 })
}

function blockNode(
  document: Document,
  { channel, label, accounts: ids, metrics, filters, on_error }: Block,
  accounts: readonly AccountFacts[],
) {
  const named = ids.flatMap(id => accounts.find(account => account.id === id) ?? [])
  return {
    channel,
    ...(label !== null && { label }),
    accounts: named.map(({ external_id, name }) => {
      const node = document.createNode(external_id)
      node.comment = ` ${name.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')}`
      return node
    }),
    metrics,
    ...(filters.length > 0 && { filters }),
    on_error,
  }
}
