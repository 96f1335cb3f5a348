import { rangeOf, type Rect } from '#shared/cell.ts'
import type { TableChunk } from '#server/table/stored-table.ts'
import { batchBody, createMetadata, deleteMetadata, deleteSheet, growSheet } from './body.ts'
import { joinedJson } from './chunks.ts'
import type { Body } from './client.ts'
import { planNote } from './cell-note.ts'
import {
  commitBody,
  idFrom,
  recheck,
  planFor,
  stateOf,
  type CommitPlan,
  type Done,
  type WritePlan,
} from './commit.ts'
import { SheetsFailure } from './failure.ts'
import { formatRequests, lastFormatted } from './formats.ts'
import { growthFor } from './plan.ts'
import { metadataKey, readTarget, type Target } from './target.ts'
import type { Work } from './work.ts'

/**
 * The path for a spreadsheet that is too full for a second copy of the table, and a table that is too large
 * for one change: its values are sent in one request that is atomic by itself. Before it the tab grows, the
 * old note goes, and an entry records both tables, for the next attempt after a crash; after it come the
 * formats, the new note and the run's own entry. The values carry no entry, so a late copy of them is not
 * refused: that no other run writes for 200 s after a request of unknown outcome is what keeps it harmless
 * here.
 */
export async function writeWithoutRoom(work: Work, first_plan: WritePlan, values: Body): Promise<Done> {
  const plan = await announce(work, first_plan)
  await work.requests.repeatable('values', { kind: 'write', ...work.limits }, () =>
    work.client.batchUpdateValues(work.spreadsheet_id, valuesBody(work, plan, values)),
  )
  const target = unshrunk(work, await readTarget(work, { whole_file: true }))
  return finish(work, {
    ...plan,
    target,
    clears: [],
    note: await planNote(work, target),
    formats: await formatRequests(work, plan.target),
  })
}

/**
 * The table's values, if they and the blanks for the rest of the old table are few enough for one request;
 * null otherwise.
 */
export async function valuesInOneRequest(work: Work, { clears }: WritePlan): Promise<Body | null> {
  const { table } = work
  const blanks = clears.reduce((sum, [r0, c0, r1, c1]) => sum + (r1 - r0) * (c1 - c0), 0)
  const { no_room_cells, no_room_bytes } = work.limits
  if ((table.rows + 1) * table.columns.length + blanks > no_room_cells) return null
  const chunks: TableChunk[] = []
  let bytes = blanks * 3
  for await (const chunk of table.chunks()) {
    bytes += chunk.json.length
    if (bytes > no_room_bytes) return null
    chunks.push(chunk)
  }
  return joinedJson(chunks)
}

async function announce(work: Work, first_plan: WritePlan): Promise<WritePlan> {
  if (isAnnounced(work, first_plan.target)) return first_plan
  const withoutNote = async (each: WritePlan) => ({ ...each, note: await planNote(work, each.target, null) })
  let plan = await withoutNote(first_plan)
  await work.requests.change('grow', work.limits, {
    send: () => work.client.batchUpdate(work.spreadsheet_id, announcement(work, plan)),
    async isApplied() {
      const target = await readTarget(work, { whole_file: true })
      if (isAnnounced(work, target)) return true
      plan = await withoutNote(await planFor(work, target))
      return false
    },
  })
  return plan
}

const isAnnounced = (work: Work, { entries, rows, columns }: Target) =>
  entries.some(({ state }) => state.run === work.run_id && state.was !== undefined) &&
  rows >= work.rect[2] &&
  columns >= work.rect[3]

function announcement(work: Work, { target, old, lost, note }: Omit<CommitPlan, 'formats'>): Body {
  const fmt = lastFormatted(target)?.fmt ?? undefined
  const was = old && !lost ? { rect: old.rect, head: old.head, fmt } : { rect: work.rect, head: work.head }
  const metadata_id = idFrom(`${work.run_id} announced`)
  return batchBody([
    ...(target.file?.leftovers ?? []).map(each => deleteSheet(each.sheet_id)),
    ...growSheet(target.sheet_id, growthFor(target, work.rect)),
    ...note.requests,
    ...target.entries
      .filter(entry => entry.metadata_id === metadata_id)
      .map(entry => deleteMetadata(entry.metadata_id)),
    createMetadata(target.sheet_id, {
      metadata_id,
      key: metadataKey(work.report_id),
      // The next attempt formats by the table before: this one has no formats yet.
      value: JSON.stringify({ ...stateOf(work, target, note), fmt: '', was }),
    }),
  ])
}

function valuesBody(work: Work, { target, clears }: WritePlan, values: Body): Body {
  const parts = [
    { rect: work.rect, json: values },
    ...clears.map(rect => ({ rect, json: [blank(rect)] })),
  ].flatMap(({ rect, json }, index) => [
    Buffer.from(`${index > 0 ? ',' : ''}{"range":${JSON.stringify(rangeOf(target.title, rect))},"values":`),
    ...json,
    Buffer.from('}'),
  ])
  return [Buffer.from('{"valueInputOption":"RAW","data":['), ...parts, Buffer.from(']}')]
}

function blank([r0, c0, r1, c1]: Rect): Buffer {
  const row = JSON.stringify(Array.from({ length: c1 - c0 }, () => ''))
  return Buffer.from(`[${Array.from({ length: r1 - r0 }, () => row).join(',')}]`)
}

async function finish(work: Work, first_plan: CommitPlan): Promise<Done> {
  let plan = first_plan
  let { target } = plan
  await work.requests.change('finish', work.limits, {
    send: () => work.client.batchUpdate(work.spreadsheet_id, commitBody(work, plan, { cells: [] })),
    async isApplied() {
      const current = await recheck(work)
      target = current.target
      if (current.plan === null) return true
      plan = { ...plan, note: current.plan.note, target: unshrunk(work, target) }
      return false
    },
  })
  return { target, plan }
}

/** If rows were deleted meanwhile, some of the table's are gone: the next attempt writes the values again. */
function unshrunk(work: Work, target: Target): Target {
  if (growthFor(target, work.rect).cells > 0)
    throw new SheetsFailure('spreadsheet_unavailable', { service_message: 'the tab has changed' })
  return target
}
