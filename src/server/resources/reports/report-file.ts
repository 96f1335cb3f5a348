import { parseDocument } from 'yaml'
import { z } from 'zod'
import { Block, CreateReport } from '#shared/api/reports.ts'
import { accountChannelOf } from '#shared/channels/all.ts'
import type { Db } from '#server/db/connect.ts'
import { usableAccounts, type OwnerAccess } from '#server/resources/runs/access.ts'

/** An account as a person writes it down: by its id at the platform, or by its name. */
const AccountText = z.union([z.string().min(1), z.number().int().positive().transform(String)])

/** A report as a file: what the API takes to make one, with accounts by name. */
const ReportFile = CreateReport.omit({ folder: true }).extend({
  name: z.string().trim().min(1).max(120),
  spreadsheet_url: z.string().min(1).max(2000),
  sheet_name: z.string().min(1).max(200),
  channels: z.array(Block.extend({ accounts: z.array(AccountText).min(1) })).min(1),
})
export type ReportFile = z.infer<typeof ReportFile>

/** Reads YAML; answers the report, or everything that is wrong with it, each with the place where it is. */
export function readReportFile(text: string): { file: ReportFile } | { problems: string[] } {
  const document = parseDocument(text, { uniqueKeys: true, intAsBigInt: true })
  if (document.errors.length > 0) return { problems: document.errors.map(error => error.message) }
  const read = ReportFile.safeParse(plain(document.toJS({ maxAliasCount: 10 })))
  if (read.success) return { file: read.data }
  return {
    problems: read.error.issues.map(issue => `${issue.path.join('.') || 'the file'}: ${issue.message}`),
  }
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
