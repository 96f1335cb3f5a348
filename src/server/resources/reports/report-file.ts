import { Document, parseAllDocuments, parseDocument } from 'yaml'
import { z } from 'zod'
import { Block, CreateReport } from '#shared/api/reports.ts'
import { accountChannelOf } from '#shared/channels/all.ts'
import type { Channel } from '#shared/channels/catalogue.ts'
import type { ErrorCode } from '#shared/errors.ts'
import type { Db } from '#server/db/connect.ts'
import { codeFor } from '#server/http/parse.ts'
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

/** What is wrong with a file, and where. */
export interface FileProblem {
  /** `channels.0.accounts`; empty: the file as a whole. */
  path: string
  code: ErrorCode
  /** The same in English prose, for those who read the answer itself. */
  message: string
}

/** Reads YAML of one or more reports; each is one, or everything that is wrong with it. */
export function readReportFiles(text: string): ({ file: ReportFile } | Unreadable)[] {
  const documents = parseAllDocuments(text, yamlOptions)
  // No document at all is one without anything in it.
  if (!Array.isArray(documents)) return [readFile(parseDocument(text, yamlOptions), ReportFile)]
  return documents.map(document => readFile(document, ReportFile))
}

/** The same of one report that shall be run at once. */
export const readRunnableFile = (text: string) => readFile(parseDocument(text, yamlOptions), RunnableFile)

interface Unreadable {
  /** As far as it can be told. */
  name: string
  problems: FileProblem[]
}

type Parsed = Pick<ReturnType<typeof parseDocument>, 'errors' | 'toJS'>
const yamlOptions = { uniqueKeys: true, intAsBigInt: true } as const

function readFile<File>(document: Parsed, schema: z.ZodType<File>): { file: File } | Unreadable {
  const unreadable = (message: string) => ({ path: '', code: 'file_unreadable' as const, message })
  if (document.errors.length > 0)
    return { name: '', problems: document.errors.map(({ message }) => unreadable(message)) }
  const value = valueOf(document)
  if (value === undefined) return { name: '', problems: [unreadable('it repeats itself too often')] }
  if (hasStrangeText(value))
    return { name: '', problems: [unreadable('a text has characters that nothing can show')] }
  const read = schema.safeParse(value)
  if (read.success) return { file: read.data }
  return {
    name: Named.safeParse(value).data?.name ?? '',
    problems: read.error.issues.map(issue => ({
      path: [...issue.path, ...(issue.code === 'unrecognized_keys' ? issue.keys : [])].join('.'),
      code: codeFor(issue),
      message: issue.message,
    })),
  }
}

const Named = z.object({ name: z.string().max(200) })

/** Ten aliases are more than a report needs, and far fewer than a file that grows to gigabytes when it is read. */
function valueOf(document: Parsed): unknown {
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

/** All accounts that somebody may use; a file may name any of them. */
export async function accountsForFile(
  db: Db,
  access: Pick<OwnerAccess, 'advertisers'>,
): Promise<AccountFacts[]> {
  const all = await db.selectFrom('ad_account').select('id').execute()
  const ids = all.map(row => row.id)
  return await usableAccounts(db, access, ids)
}

/** An account of a file that stands for none, or for several, of those that may be used. */
export interface MissingAccount {
  block: number
  channel: Channel
  account: string
  code: 'account_unknown' | 'account_ambiguous'
}

/** The report with the ids of its accounts, and those that are none of the usable ones, which it is left without. */
export function resolveAccounts(
  file: ReportFile,
  usable: readonly AccountFacts[],
): { report: CreateReport; missing: MissingAccount[] } {
  const missing: MissingAccount[] = []
  const channels = file.channels.map((block, index) => {
    const of_channel = usable.filter(account => account.channel === accountChannelOf(block.channel))
    const accounts = block.accounts.flatMap(wanted => {
      const found = of_channel.filter(({ external_id, name, property_name }) =>
        [external_id, name, property_name].includes(wanted),
      )
      if (found.length === 1) return found.map(account => account.id)
      const code = found.length === 0 ? 'account_unknown' : 'account_ambiguous'
      missing.push({ block: index, channel: block.channel, account: wanted, code })
      return []
    })
    return { ...block, accounts }
  })
  return { report: { ...file, folder: null, channels }, missing }
}

/** What is missing as problems of the file. */
export const missingAsProblems = (missing: readonly MissingAccount[]): FileProblem[] =>
  missing.map(({ block, account, code }) => ({
    path: `channels.${block}.accounts`,
    code,
    message: `${account}: ${code === 'account_unknown' ? 'there is no such account' : 'several accounts have this name; write its id'}`,
  }))

/** Several of them as one file, a document each. */
export const joinReportFiles = (files: readonly string[]): string => files.join('---\n')

/**
 * The report as a file that `readReportFiles` reads back: accounts by their ids at the platform, with their names as remarks. Of accounts that the
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
