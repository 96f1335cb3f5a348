import { z } from 'zod'
import { Instant } from './list.ts'
import { ColumnFormat, Preview } from './preview.ts'

/**
 * The first rows of the table that a run has stored, cell by cell as in the spreadsheet. no_table: the run
 * has none (yet). not_kept: it is no longer stored.
 */
export const FirstRows = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('stored'),
    columns: z.array(z.object({ title: z.string(), format: ColumnFormat })),
    rows: Preview.shape.rows,
    /** Of the whole table, without the header. */
    row_count: z.number().int(),
    /** The cell that the header starts at. */
    start_cell: z.string(),
    /** Of a restored table: when it was fetched. null: it is still being written. */
    as_of: Instant.nullable(),
  }),
  z.object({ status: z.enum(['no_table', 'not_kept']) }),
])
export type FirstRows = z.infer<typeof FirstRows>
