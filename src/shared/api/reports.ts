import { z } from 'zod'
import {
  dimensions,
  filterFields,
  filterRules,
  type Dimension,
  type FilterField,
} from '#shared/channels/catalogue.ts'
import { channelIds } from '#shared/channels/ids.ts'
import { FORMULA_LENGTH } from '#shared/formula.ts'
import { formulaUnits } from '#shared/formula-units.ts'
import { languages } from '#shared/language.ts'
import { limits } from '#shared/limits.ts'
import { Day, FolderId, FolderIdText, Id, IdText, Instant, listOf, listQuery } from './list.ts'
import { Currency } from './money.ts'
import { name } from './names.ts'

const keysOf = <Key extends string>(table: Record<Key, unknown>) => Object.keys(table) as [Key, ...Key[]]

export const FilterSchema = z.strictObject({
  field: z.enum(keysOf<FilterField>(filterFields)),
  rule: z.enum(filterRules),
  values: z.array(z.string().min(1).max(500)).min(1).max(limits.filter_values),
})

/** One entry of a report's channels: a channel, its accounts, its metrics, its filters. */
export const Block = z.strictObject({
  channel: z.enum(channelIds),
  /** The block's label in headers; null: the channel's own name, numbered when it comes twice. */
  label: name(60).nullable().default(null),
  accounts: z.array(Id).max(limits.accounts),
  metrics: z.array(z.string().max(80)).max(limits.metrics),
  filters: z.array(FilterSchema).max(limits.filters).default([]),
  /** What a failed block does to the table: leave its cells empty, or fail the report. */
  on_error: z.enum(['leave_empty', 'keep_previous', 'fail_report']).default('leave_empty'),
  /**
   * The definition by which conversions, their value, CPA, CVR and ROAS are meant; null or left out: the
   * platform's.
   */
  conversion: Id.nullable().optional(),
})
export type Block = z.infer<typeof Block>

/**
 * 0 none, 1 this month, 2 last month till now, 3 last 3 months till now, 4 last 6 months till now, 5 this
 * year
 */
export const DynamicRange = z.number().int().min(0).max(5)
export const DateRange = z.strictObject({
  start: Day.nullable(),
  end: Day.nullable(),
  dynamic_range: DynamicRange,
})
export type DateRange = z.infer<typeof DateRange>

/**
 * What the rows of a table are sorted by: one of its dimensions or metrics. `block` is the position of the
 * metric's channel where each has columns of its own; null: the first one with that metric.
 */
export const TableSort = z.strictObject({
  by: name(80),
  block: z.number().int().min(0).max(99).nullable().default(null),
  descending: z.boolean().default(false),
})
export type TableSort = z.infer<typeof TableSort>

/** Which period the numbers are compared with, how its days are matched, and what is shown of it. */
export const Comparison = z.strictObject({
  to: z.enum(['previous_period', 'last_year']),
  align: z.enum(['date', 'weekday']),
  show: z
    .array(z.enum(['value', 'change', 'percent']))
    .min(1)
    .max(3),
})
export type Comparison = z.infer<typeof Comparison>

/**
 * A column over several channels of a joined table: `1.cost` is a metric of its first one, `all.cost` that of
 * every one that has it.
 */
export const Blend = z.strictObject({
  name: name(60),
  formula: z.string().trim().min(1).max(FORMULA_LENGTH),
  unit: z.enum(formulaUnits).default('ratio'),
  decimals: z.number().int().min(0).max(6).default(2),
})
export type Blend = z.infer<typeof Blend>

/** Quarter hours, HH:mm:ss */
const UpdateTime = z.string().regex(/^([01]\d|2[0-3]):(00|15|30|45):00$/)

const fields = {
  name: name(limits.name),
  folder: Id.nullable(),
  spreadsheet_url: z.string().max(2000),
  /** Empty: no tab chosen yet. */
  sheet_name: z.string().max(200),
  start_cell: z.string().max(20),
  timezone: z.string().max(60),
  header_language: z.enum(languages),
  arrangement: z.enum(['joined', 'stacked']),
  fill_zero: z.boolean(),
  /**
   * The table looks like its preview when it is first written: header bold and frozen, column widths, number
   * formats. Formats that people change afterwards stay.
   */
  format_table: z.boolean(),
  /** null: by the dimensions in their order. */
  sort: TableSort.nullable(),
  /** Rows of the table, the first ones; null: all. */
  limit: z.number().int().min(1).max(limits.rows).nullable(),
  /** What money is converted to, by the rate of each month; null: each account's own. */
  currency: Currency.nullable(),
  comparison: Comparison.nullable(),
  /** Whether the start cell gets a note: when it was updated, how far the data goes, what is missing. */
  note: z.boolean(),
  blends: z.array(Blend).max(limits.blends),
  dimensions: z.array(z.enum(keysOf<Dimension>(dimensions))).max(limits.dimensions),
  channels: z.array(Block).max(100),
  date_range: DateRange,
  /** 0 none, 1 one-time, 2 daily, 3 weekly, 4 monthly */
  update_frequency: z.number().int().min(0).max(4),
  update_time: UpdateTime,
  /** 1 Monday … 7 Sunday */
  update_day_of_week: z.number().int().min(1).max(7).nullable(),
  update_day_of_month: z.number().int().min(1).max(31).nullable(),
}

/** A report as it is created; what is left out gets the product's default. */
export const CreateReport = z.strictObject({
  name: fields.name.optional(),
  folder: FolderId.default(null),
  spreadsheet_url: fields.spreadsheet_url.default(''),
  sheet_name: fields.sheet_name.default(''),
  start_cell: fields.start_cell.default('A1'),
  timezone: fields.timezone.optional(),
  header_language: fields.header_language.optional(),
  arrangement: fields.arrangement.default('joined'),
  fill_zero: fields.fill_zero.default(false),
  format_table: fields.format_table.default(true),
  sort: fields.sort.default(null),
  limit: fields.limit.default(null),
  currency: fields.currency.default(null),
  comparison: fields.comparison.default(null),
  note: fields.note.default(false),
  blends: fields.blends.default([]),
  dimensions: fields.dimensions.default(['date']),
  channels: fields.channels.default([]),
  date_range: fields.date_range.default({ start: null, end: null, dynamic_range: 1 }),
  update_frequency: fields.update_frequency.default(0),
  update_time: fields.update_time.default('09:00:00'),
  update_day_of_week: fields.update_day_of_week.default(null),
  update_day_of_month: fields.update_day_of_month.default(null),
})
export type CreateReport = z.infer<typeof CreateReport>

/** `version` is the one that was read; an older one is refused with 409 and the newer report. */
export const UpdateReport = z.strictObject({
  version: z.number().int(),
  name: fields.name.optional(),
  folder: FolderId.optional(),
  spreadsheet_url: fields.spreadsheet_url.optional(),
  sheet_name: fields.sheet_name.optional(),
  start_cell: fields.start_cell.optional(),
  timezone: fields.timezone.optional(),
  header_language: fields.header_language.optional(),
  arrangement: fields.arrangement.optional(),
  fill_zero: fields.fill_zero.optional(),
  format_table: fields.format_table.optional(),
  sort: fields.sort.optional(),
  limit: fields.limit.optional(),
  currency: fields.currency.optional(),
  comparison: fields.comparison.optional(),
  note: fields.note.optional(),
  blends: fields.blends.optional(),
  dimensions: fields.dimensions.optional(),
  channels: fields.channels.optional(),
  date_range: fields.date_range.optional(),
  update_frequency: fields.update_frequency.optional(),
  update_time: fields.update_time.optional(),
  update_day_of_week: fields.update_day_of_week.optional(),
  update_day_of_month: fields.update_day_of_month.optional(),
})
export type UpdateReport = z.infer<typeof UpdateReport>

/** Why a report cannot run, each fixed at its own place. */
export const Gap = z.enum(['start_cell_not_set', 'page_not_set', 'permission_not_set', 'channels_not_set'])
export type Gap = z.infer<typeof Gap>

export const LastRun = z.object({
  id: z.uuid(),
  status: z.enum(['queued', 'fetching', 'writing', 'completed', 'error', 'cancelled']),
  finished_at: Instant.nullable(),
  rows: z.number().int().nullable(),
  columns: z.number().int().nullable(),
  code: z.string().nullable(),
  /** Some but not all channels had output. */
  partial: z.boolean(),
  /** The table's sums compared with the platforms' own totals; null: not all of them could be compared. */
  proof: z.enum(['matches', 'differs']).nullable(),
})

export type LastRun = z.infer<typeof LastRun>

export const Report = z.object({
  id: Id,
  version: z.number().int(),
  ...fields,
  /**
   * 5: ended by itself, since its fixed range was over 14 days ago; the chosen frequency is in
   * `chosen_frequency`.
   */
  update_frequency: z.number().int().min(0).max(5),
  chosen_frequency: z.number().int().min(0).max(4),
  /** 0 inactive, 1 active, 2 pending, 3 ended */
  status: z.number().int().min(0).max(3),
  /** The run that is queued or running. */
  task: z.uuid().nullable(),
  gaps: z.array(Gap),
  /** Outcome of the last permission check; null before the first. */
  target_state: z.string().nullable(),
  /** The tab that was last written to; null before the first run, or for another spreadsheet since. */
  sheet_id: z.number().int().nullable(),
  /** Ranges of up to three years are allowed: a support editor has granted them. */
  history_extended: z.boolean(),
  owner: Id,
  owner_name: z.string(),
  /** How the report is visible to the caller. */
  access: z.enum(['owner', 'editor', 'viewer', 'superuser']),
  shared_by: z.string().nullable(),
  /** Marked by the caller; others do not see it. */
  favourite: z.boolean(),
  copied_by: Id.nullable(),
  copied_by_username: z.string().nullable(),
  next_run_at: Instant.nullable(),
  last_run: LastRun.nullable(),
  created_at: Instant,
  last_modified_at: Instant,
})
export type Report = z.infer<typeof Report>

export const reportOrderings = [
  'id',
  'name',
  'last_modified_at',
  'created_at',
  'next_run_at',
  'owner_name',
  'last_run_at',
] as const
export const ReportQuery = listQuery(reportOrderings, '-last_modified_at').extend({
  /** 0 is the root; left out, or with a search: all folders. */
  folder: FolderIdText.optional(),
  status: z.enum(['0', '1', '2', '3']).transform(Number).optional(),
  channel: z.enum(channelIds).optional(),
  gap: Gap.optional(),
  /** Those that end by themselves within a week, have within the last two, or either. */
  ending: z.enum(['soon', 'ended', 'either']).optional(),
  scope: z.enum(['mine', 'shared', 'all']).optional(),
  /** true: only those that the caller has marked. */
  favourite: z
    .enum(['true', 'false'])
    .transform(value => value === 'true')
    .optional(),
  /** true: what was deleted in the last 30 days, instead of what is there. */
  deleted: z
    .enum(['true', 'false'])
    .transform(value => value === 'true')
    .optional(),
})
export type ReportQuery = z.infer<typeof ReportQuery>
export const ReportList = listOf(Report)

/** How many of the reports that one sees end by themselves within a week, and have within the last two. */
export const EndingCounts = z.object({ soon: z.number().int(), ended: z.number().int() })
export type EndingCounts = z.infer<typeof EndingCounts>

export const ShareReport = z.strictObject({ user: Id, access: z.enum(['viewer', 'editor']) })
/** Somebody with whom a report is shared. */
export const Share = z.object({
  user: Id,
  user_name: z.string(),
  access: z.enum(['viewer', 'editor']),
  shared_by: z.string().nullable(),
  created_at: Instant,
})

/** `to_user`: the copy is theirs. */
export const CopyReport = z.strictObject({ folder: FolderId.optional(), to_user: Id.optional() })

export const BulkReports = z.strictObject({
  /** share_again: brings a sharing back as it was when it ended, within a day. */
  action: z.enum(['move', 'copy', 'delete', 'restore', 'share', 'unshare', 'share_again']),
  ids: z.array(Id).min(1).max(500),
  /** For move and copy; null is the root. */
  folder: FolderId.optional(),
  /** For copy: the copies are theirs. */
  to_user: Id.optional(),
  /** For share, unshare and share_again, which need it: with whom. */
  user: Id.optional(),
  /** For share; viewer unless given. */
  access: z.enum(['viewer', 'editor']).optional(),
})
export type BulkReports = z.infer<typeof BulkReports>
/**
 * `code` says why not; `copy` is the new report's id; `access_before` is the access of the person before the
 * sharing was changed.
 */
export const BulkOutcome = z.object({
  results: z.array(
    z.object({
      id: Id,
      status: z.enum(['ok', 'refused']),
      code: z.string().nullable(),
      copy: Id.nullable(),
      access_before: z.enum(['viewer', 'editor']).nullable(),
    }),
  ),
})

/** Which reports are written into one file. */
export const ExportQuery = z.object({
  ids: z
    .string()
    .regex(/^[1-9]\d{0,15}(,[1-9]\d{0,15})*$/)
    .transform(text => [...new Set(text.split(',').map(Number))])
    .pipe(z.array(Id).max(500)),
})

export const ImportQuery = z.object({
  /** The folder of the new reports; 0 or left out: the root. */
  folder: z.union([z.literal('0').transform(() => null), IdText]).optional(),
  /** true: a report is made without the accounts that are not available, instead of not at all. */
  leave_out: z
    .enum(['true', 'false'])
    .transform(value => value === 'true')
    .optional(),
})

/** The outcome of each report of a file, or its preview. */
export const ImportOutcome = z.object({
  results: z.array(
    z.object({
      name: z.string(),
      /** null: it cannot be made, for the problems below. */
      report: Report.nullable(),
      /** Accounts that it was made without. */
      left_out: z.array(z.object({ channel: z.enum(channelIds), account: z.string(), code: z.string() })),
      /** `path` is empty where it is about the file as a whole. */
      problems: z.array(z.object({ path: z.string(), code: z.string(), message: z.string() })),
    }),
  ),
})
export type ImportOutcome = z.infer<typeof ImportOutcome>

/** The response of DELETE and the like. */
export const Deleted = z.object({ id: Id })
