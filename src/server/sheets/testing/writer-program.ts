import { createInterface } from 'node:readline'
import { z } from 'zod'
import { sheetsClient } from '#server/sheets/client.ts'
import { newTable, PATHS, shapes } from './faults.ts'
import { freely } from './sandbox.ts'
import { writeTable } from '#server/sheets/write.ts'

// A worker of its own that writes the table named by a line of its input, and kills itself at the chosen
// step.

const Order = z.object({
  settings: z.object({
    google_sheets_base_url: z.string(),
    google_drive_base_url: z.string(),
    google_token_url: z.string(),
    key: z.object({ client_email: z.string(), private_key: z.string() }),
  }),
  spreadsheet_id: z.string(),
  previous: z.object({
    sheet_id: z.number(),
    rect: z.tuple([z.number(), z.number(), z.number(), z.number()]),
    head: z.string(),
    fmt: z.string(),
    note: z.string().nullable(),
  }),
  path: z.enum(['one request', 'staging tab', 'no room for staging']),
  shape: z.enum(shapes),
  /** The step at which it dies, counted from 0; each request has one before and one after it. */
  dies_at: z.number(),
})

for await (const line of createInterface(process.stdin)) {
  const order = Order.parse(JSON.parse(line))
  let steps = 0
  const effects = freely(sheetsClient(order.settings), {
    limits: PATHS[order.path],
    on_step() {
      if (steps++ === order.dies_at) process.kill(process.pid, 'SIGKILL')
    },
  })
  await writeTable(
    {
      table: newTable(order.shape),
      target: { spreadsheet_id: order.spreadsheet_id, sheet_id: 0, sheet_name: 'T', start_cell: 'A1' },
      format_table: true,
      report_id: 42,
      run_id: 'now',
      attempt: 1,
      previous: order.previous,
      other_tables: [],
      checked_at: effects.now(),
    },
    effects,
  )
  process.exit(0)
}
