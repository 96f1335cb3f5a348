import { z } from 'zod'
import { Day, Instant } from './list.ts'

const Counts = z.object({
  same: z.number().int(),
  changed: z.number().int(),
  added: z.number().int(),
  removed: z.number().int(),
})

/** A number, a text, or "" for an empty cell; null: the row was not there. */
const Value = z.union([z.number(), z.string()]).nullable()

/** A day (week, month) whose rows changed; without a time dimension a row that did. */
const Moved = z.object({
  kind: z.enum(['changed', 'added', 'removed']),
  /** The label of the row: its dimensions as in the table; of a day only that day. */
  key: z.array(z.union([Day, z.string()])),
  /** Of its rows. */
  rows: Counts.omit({ same: true }),
  /**
   * The metrics that changed; `column` is an index of `columns`. Where several rows make a day, only metrics
   * that can be summed are included.
   */
  cells: z.array(z.object({ column: z.number().int(), before: Value, after: Value })),
})

export const Compared = z.object({
  status: z.literal('compared'),
  /** The run before, and when its table was fetched. */
  before: z.object({ run: z.uuid(), at: Instant }),
  by: z.enum(['date', 'week', 'month', 'row']),
  columns: z.array(
    z.object({ title: z.string(), kind: z.enum(['text', 'number', 'percent']), digits: z.number().int() }),
  ),
  /** Metrics that only one of the two tables has, which are not compared. */
  columns_added: z.array(z.string()),
  columns_removed: z.array(z.string()),
  /** Of the whole table. */
  rows: Counts,
  /** How many days or rows changed; `moved` has the first of them, the latest day first. */
  count: z.number().int(),
  moved: z.array(Moved),
})
export type Compared = z.infer<typeof Compared>

/**
 * no_table: the run has written none. first: there is no run before it. not_kept: one of the two tables is no
 * longer stored. not_alike: the report had other dimensions or channels then, or its rows were in another
 * order. too_large: beyond `MOST_COMPARED_CELLS`.
 */
export const RunChanges = z.discriminatedUnion('status', [
  Compared,
  z.object({ status: z.enum(['no_table', 'first', 'not_kept', 'not_alike', 'too_large']) }),
])
export type RunChanges = z.infer<typeof RunChanges>
