import { z } from 'zod'
import { channelIds } from '#shared/channels/ids.ts'
import { limits } from '#shared/limits.ts'
import { FolderId, Id } from './list.ts'
import { name } from './names.ts'
import { DateRange, Gap, type Block } from './reports.ts'
/** What can be done to many reports at once and undone. */
export type OperationKind = 'replace_account' | 'extend' | 'clone'
/** What undoing it needs to know of a report that was changed. */
export type OperationBefore = { channels: Block[] } | { date_range: DateRange }

/** The limit of one call. */
export const MOST_AT_ONCE = 500

/** Reports; with the version that was read, so that one saved since is left alone. */
const Chosen = z
  .array(z.strictObject({ id: Id, version: z.number().int().optional() }))
  .min(1)
  .max(MOST_AT_ONCE)
/** true: previews it, and changes nothing. */
const dry_run = z.boolean().default(false)
const Scope = z.enum(['mine', 'all'])

/**
 * `reports` left out: every visible report that uses the old account; for a superuser everybody’s with the
 * scope `all`.
 */
export const ReplaceAccount = z.strictObject({
  from: Id,
  to: Id,
  reports: Chosen.optional(),
  scope: Scope.default('mine'),
  dry_run,
})

/** Later by months, or to a range that moves with the days. */
export const ExtendReports = z.strictObject({
  reports: Chosen,
  by: z.union([
    z.strictObject({ months: z.number().int().min(1).max(12) }),
    z.strictObject({ dynamic_range: z.number().int().min(1).max(5) }),
  ]),
  dry_run,
})
export type ExtendReports = z.infer<typeof ExtendReports>

/** The beginning of existing names. */
const part = z.string().trim().min(1).max(limits.name)
export const CloneReports = z.strictObject({
  source: z.union([
    z.strictObject({ advertiser: Id }),
    z.strictObject({ folder: Id }),
    z.strictObject({ reports: z.array(Id).min(1).max(MOST_AT_ONCE) }),
  ]),
  /** For whom the copies are. */
  advertiser: Id,
  /** An account that is not named here is left out of the copies. */
  accounts: z
    .array(z.strictObject({ from: Id, to: Id }))
    .max(1000)
    .default([]),
  folder: FolderId.default(null),
  /** Made in `folder`, unless one of this name is there. */
  new_folder: name(limits.name).nullable().default(null),
  /** In names of reports and folders, labels and filters, whatever the case; of several the longest match. */
  rename: z
    .strictObject({ find: z.array(part).min(1).max(10), replace: name(limits.name) })
    .nullable()
    .default(null),
  /** true: one refusal prevents all copies. */
  all_or_nothing: z.boolean().default(false),
  scope: Scope.default('mine'),
  dry_run,
})

const ReportProblem = z.object({
  path: z.string(),
  code: z.string(),
  detail: z.record(z.string(), z.unknown()),
})

/** The outcome for one report. One that does not exist for the caller has no name. */
export const ReportResult = z.object({
  id: Id,
  name: z.string(),
  owner_name: z.string(),
  /** The version that was read; null: there is none. */
  version: z.number().int().nullable(),
  status: z.enum(['ok', 'refused']),
  code: z.string().nullable(),
  problems: z.array(ReportProblem),
})
export type ReportResult = z.infer<typeof ReportResult>

const about = {
  dry_run: z.boolean(),
  /** With it the operation is undone; null: nothing was done. */
  deed: z.uuid().nullable(),
}
/** Reports beyond the limit of one call: send the request again for them. */
const left_out = z.number().int()

export const ReplaceOutcome = z.object({ ...about, left_out, results: z.array(ReportResult) })
export type ReplaceOutcome = z.infer<typeof ReplaceOutcome>

export const ExtendOutcome = z.object({
  ...about,
  results: z.array(ReportResult.extend({ date_range: DateRange.nullable() })),
})
export type ExtendOutcome = z.infer<typeof ExtendOutcome>

const AccountInUse = z.object({
  id: Id,
  channel: z.enum(channelIds),
  /** null: the caller may not use it any more. */
  name: z.string().nullable(),
  currency: z.string().nullable(),
  advertiser_name: z.string().nullable(),
  /** How many of the reports use it. */
  reports: z.number().int(),
})
export type AccountInUse = z.infer<typeof AccountInUse>
export const AccountsInUse = z.array(AccountInUse)

const Copy = z.object({
  name: z.string(),
  /** Path of folders, outermost first. */
  folder: z.array(z.string()),
  /** Accounts that are left out. */
  accounts_left_out: z.number().int(),
  gaps: z.array(Gap),
})

export const CloneOutcome = z.object({
  ...about,
  left_out,
  /** Those of the reports, with the likely counterpart of the other advertiser. */
  accounts: z.array(AccountInUse.extend({ suggested: Id.nullable() })),
  results: z.array(
    ReportResult.extend({
      copy: Copy.nullable(),
      /** The new report. */
      made: Id.nullable(),
    }),
  ),
})
export type CloneOutcome = z.infer<typeof CloneOutcome>

export const UndoOutcome = z.object({ results: z.array(ReportResult) })
export type UndoOutcome = z.infer<typeof UndoOutcome>
