import { writeCells, type CellValue, type RequestJson } from './body.ts'
import { rowsOf } from './chunks.ts'
import { commitBody, recheck, type CommitPlan, type Done } from './commit.ts'
import type { Work } from './work.ts'

/** The whole table as one request's cells; null when that is more than one request should carry. */
export async function cellsInOneRequest(work: Work, sheet_id: number): Promise<RequestJson[] | null> {
  const { table } = work
  const { small_cells, small_bytes } = work.limits
  if ((table.rows + 1) * table.columns.length > small_cells) return null
  const rows: CellValue[][] = []
  for await (const chunk of table.chunks()) rows.push(...rowsOf(chunk))
  const json = writeCells(sheet_id, work.rect, rows)
  return Buffer.byteLength(json) > small_bytes ? null : [json]
}

/** The normal path: one request replaces the table. */
export async function writeSmall(work: Work, first_plan: CommitPlan, cells: RequestJson[]): Promise<Done> {
  let plan = first_plan
  let { target } = plan
  await work.requests.change('commit', work.limits, {
    send: () => work.client.batchUpdate(work.spreadsheet_id, commitBody(work, plan, { cells })),
    async isApplied() {
      const current = await recheck(work)
      target = current.target
      if (current.plan) plan = current.plan
      return current.plan === null
    },
  })
  return { target, plan }
}
