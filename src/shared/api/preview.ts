import { z } from 'zod'
import { Day, Id, Instant } from './list.ts'
import { BlockOutcome, RunNote } from './executions.ts'
import { CreateReport } from './reports.ts'

/**
 * A report body as it would be saved; `report` is the saved one that it changes. Fields that do not affect
 * the table are ignored.
 */
export const PreviewReport = CreateReport.extend({ report: Id.nullable().default(null) })
export type PreviewReport = z.infer<typeof PreviewReport>

const Digits = z.number().int()
/** The format of a column's cells; shared/cell-text.ts prints them. */
export const ColumnFormat = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text') }),
  z.object({ kind: z.literal('day') }),
  z.object({ kind: z.literal('month') }),
  z.object({ kind: z.literal('number'), digits: Digits }),
  z.object({ kind: z.literal('percent'), digits: Digits }),
])
export type ColumnFormat = z.infer<typeof ColumnFormat>

/** The outcome of a channel of the preview. */
export const PreviewBlock = BlockOutcome.omit({
  proof: true,
  status: true,
  after_ms: true,
  took_ms: true,
  progress: true,
}).extend({
  /**
   * ok, no_data and error as in a run; unset: accounts or metrics are still missing; nothing_yet: no rows in
   * the requested days; later: it takes longer than a preview waits, or is more than it holds; its cells are
   * empty here, and a run has them.
   */
  status: z.enum(['ok', 'no_data', 'error', 'unset', 'nothing_yet', 'later']),
})
export type PreviewBlock = z.infer<typeof PreviewBlock>

const Range = z.object({ start: Day, end: Day })

export const RowEstimate = z.object({
  rows: z.number().int(),
  /** exact: a run would write so many now; about: extrapolated from a part. */
  kind: z.enum(['exact', 'about']),
  /**
   * all: everything was fetched; days: the range alone determines it; part: the first days; last_run: the
   * last table.
   */
  from: z.enum(['all', 'days', 'part', 'last_run']),
})
export type RowEstimate = z.infer<typeof RowEstimate>

export const Preview = z.object({
  columns: z.array(z.object({ title: z.string(), format: ColumnFormat })),
  /** The first rows under the header: numbers (days as serial numbers), texts, "" for an empty cell. */
  rows: z.array(z.array(z.union([z.string(), z.number()]))),
  /**
   * Of each column the total over all rows of the requested days: sums, and ratios of sums; "" where nothing
   * can be added up. null: unknown.
   */
  totals: z.array(z.union([z.literal(''), z.number()])).nullable(),
  /** There are more rows than these. */
  has_more: z.boolean(),
  /** Why there is no table; null when there is one. */
  code: z.string().nullable(),
  detail: z.record(z.string(), z.union([z.string(), z.number()])),
  blocks: z.array(PreviewBlock),
  notes: z.array(RunNote),
  estimate: RowEstimate.nullable(),
  /** Filled with 0 only: how many rows there would be otherwise; null: unknown. */
  unfilled_rows: z.number().int().nullable(),
  /** How many rows there would be without the report's limit; null: unknown, or no more. */
  rows_before_limit: z.number().int().nullable(),
  /** With the header. */
  cells: z.number().int().nullable(),
  /** The days of a run today, and those that were fetched here. */
  range: Range.nullable(),
  asked: Range.nullable(),
  /** The earliest fetch of a platform's response; with `from_run` when that run ended. */
  as_of: Instant,
  /**
   * The rows are those of the last run of the very same description, since some of its channels are `later`.
   */
  from_run: z.boolean(),
})
export type Preview = z.infer<typeof Preview>

export const PREVIEW_ROWS = 50
