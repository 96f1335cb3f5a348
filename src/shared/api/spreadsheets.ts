import { z } from 'zod'
import { limits } from '#shared/limits.ts'
import { Id, IdText, Instant } from './list.ts'
import { name, nameOrNothing } from './names.ts'

export const PermissionQuery = z.object({
  spreadsheet_url: z.string().max(2000),
  sheet_name: z.string().max(200).optional(),
  start_cell: z.string().max(20).optional(),
  /** The tab that was written to last: when it was renamed, the response names it. */
  sheet_id: z
    .string()
    .regex(/^\d{1,10}$/)
    .transform(Number)
    .optional(),
  /** Which advertiser the spreadsheet is proven for, where the person has several. */
  advertiser: IdText.optional(),
})

export const PermissionResult = z.enum([
  'ok',
  'not_shared',
  'not_editor',
  'proof_required',
  'sheet_name_mismatch',
  'sheet_name_colon',
  'not_a_spreadsheet',
  'unreachable',
])
export type PermissionResult = z.infer<typeof PermissionResult>

export const PermissionReply = z.object({
  result: PermissionResult,
  /** The address to share the spreadsheet with. */
  system_user: z.string(),
  /** With `proof_required`: what to type into any empty cell. */
  code: z.string().optional(),
  /**
   * With `proof_required` and no code: it is proven, and the request is repeated with one of these
   * advertisers.
   */
  advertisers: z.array(z.object({ id: Id, name: z.string() })).optional(),
  /**
   * Where another text was sent: the address in it. Of a bare id, the one at which this person can open it,
   * as far as that is known.
   */
  spreadsheet_url: z.string().optional(),
  /** The person owns the file and can share it here, by `POST /api/sheets/:id/share/`. */
  can_share: z.literal(true).optional(),
  /** With `ok` only: nothing about a file is shown before control of it is proven. */
  title: z.string().optional(),
  /** With `sheet_name_mismatch`: the current name of the tab that was written to last. */
  new_name: z.string().optional(),
  /**
   * With `not_editor`: the protected range that keeps the system user out, where it is not the whole file.
   */
  protected_range: z.string().optional(),
})
export type PermissionReply = z.infer<typeof PermissionReply>

export const SheetNameQuery = z.object({ spreadsheet_url: z.string().max(2000) })
export const Tab = z.object({
  title: z.string(),
  sheet_id: z.number().int(),
  rows: z.number().int(),
  columns: z.number().int(),
  hidden: z.boolean(),
})
export type Tab = z.infer<typeof Tab>
export const TabList = z.array(Tab)

/** A new tab, behind the others. */
export const CreateTab = z.strictObject({
  spreadsheet_url: z.string().max(2000),
  title: name(100),
})

/** A new spreadsheet of one's own that a report can write to. */
export const CreateSpreadsheet = z.strictObject({
  /** The report that it is for; with its client, the title. */
  report_name: nameOrNothing(limits.name).default(''),
  /** Of that report: when they are one advertiser's, the spreadsheet is for that one. */
  accounts: z.array(Id).max(5000).default([]),
})
export type CreateSpreadsheet = z.infer<typeof CreateSpreadsheet>

export const CreatedSpreadsheet = z.object({
  spreadsheet_url: z.string(),
  title: z.string(),
  sheet_name: z.string(),
  start_cell: z.string(),
  /** Of that target. A client of several has to choose one, if the accounts do not name it. */
  check: PermissionReply,
})
export type CreatedSpreadsheet = z.infer<typeof CreatedSpreadsheet>

export const RecentQuery = z.object({ search: z.string().max(200).default('') })

/** A spreadsheet that the person controls. */
export const RecentSpreadsheet = z.object({
  spreadsheet_url: z.string(),
  title: z.string(),
  /** How many it had when they were last listed; null: they never were. */
  tabs: z.number().int().nullable(),
  last_used_at: Instant,
  /** The person's own reports that write there: the three that were changed last, and how many there are. */
  reports: z.array(z.object({ id: Id, name: z.string() })),
  report_count: z.number().int(),
})
export type RecentSpreadsheet = z.infer<typeof RecentSpreadsheet>

/** The last used ones. */
export const RecentSpreadsheets = z.object({ results: z.array(RecentSpreadsheet), has_more: z.boolean() })
export type RecentSpreadsheets = z.infer<typeof RecentSpreadsheets>
