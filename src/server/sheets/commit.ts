import { createHash } from 'node:crypto'
import { rectName, type Rect } from '#shared/cell.ts'
import {
  batchBody,
  clearCells,
  createMetadata,
  deleteMetadata,
  deleteSheet,
  growSheet,
  guardLastCell,
  type RequestJson,
} from './body.ts'
import type { Body } from './client.ts'
import { planNote, type NotePlan } from './cell-note.ts'
import { formatCodes, formatRequests, lastFormatted } from './formats.ts'
import { growthFor, refuseBlocked, refuseWithoutRoom, stripsOf } from './plan.ts'
import type { TabState } from './schema.ts'
import {
  hasItsHeader,
  isWritten,
  metadataKey,
  noteHash,
  readTarget,
  readsNotes,
  type OldTable,
  type Target,
} from './target.ts'
import type { Work } from './work.ts'

/**
 * Entries of earlier runs that stay in the tab. While one is there its id cannot be created again, so that a
 * late request of its run, from a worker that was paused for long, is refused as a whole.
 */
const RETAINED_ENTRIES = 2

/** The tab as it was read, checked, with what must be cleared there. */
export interface WritePlan {
  target: Target
  /** The cells of the last table that the new one does not cover. */
  clears: Rect[]
  /** The last table, where it is unchanged. */
  old: OldTable | null
  /**
   * The position of the last table, when somebody has moved or changed it, so that its remains are not ours
   * to clear.
   */
  lost: string | null
}

/** Complete for the change that makes the table visible. */
export interface CommitPlan extends WritePlan {
  note: NotePlan
  /** What makes new columns and rows look like the preview. */
  formats: RequestJson[]
}

/** What was carried out, and the tab as it was read last. No plan: it turned out to be done already. */
export interface Done {
  target: Target
  plan: CommitPlan | null
}

/** Checks everything that can be known before the first write, and determines what to clear. */
export async function planFor(work: Work, target: Target): Promise<WritePlan> {
  const others = work.other_tables.filter(table => table.sheet_id === target.sheet_id)
  const clears: Rect[] = []
  let lost: string | null = null
  refuseBlocked(target, [work.rect], work.other_tables)
  refuseWithoutRoom(target, work.rect, { limit: work.limits.cells })
  for (const old of target.old) {
    const strips = stripsOf(
      old,
      work.rect,
      others.map(other => other.rect),
    )
    if (strips.length === 0) continue
    if (await hasItsHeader(work, target, old)) clears.push(...strips)
    else if (target.old.length === 1) lost = rectName(old.rect)
  }
  refuseBlocked(target, [work.rect, ...clears], work.other_tables)
  return { target, clears, old: target.old[0] ?? null, lost }
}

/** When the table has been read, whose first rows the formats need. */
export const forCommit = async (work: Work, plan: WritePlan): Promise<CommitPlan> => ({
  ...plan,
  note: await planNote(work, plan.target),
  formats: await formatRequests(work, plan.target),
})

/**
 * Reads the tab after a response with an unknown outcome: whether the change was made, and the plan for the
 * next try. `stage`: the title of the staging tab.
 */
export async function recheck(work: Work, stage: string | null = null): Promise<Done> {
  const target = await readTarget(work, { whole_file: !readsNotes(work), stage })
  if (isWritten(target, work.run_id)) return { target, plan: null }
  return { target, plan: await forCommit(work, await planFor(work, target)) }
}

/**
 * The one atomic change that replaces the old table: growth, clearing, `cells` (the new table), formats, the
 * note, and this run's entry. A second copy of it is refused whole, because the entry's id exists already.
 */
export function commitBody(
  work: Work,
  { target, clears, formats, note }: CommitPlan,
  { cells, drop = [] }: { cells: RequestJson[]; drop?: number[] },
): Body {
  const { sheet_id, entries } = target
  const leftovers = (target.file?.leftovers ?? []).map(each => each.sheet_id)
  return batchBody([
    ...leftovers.filter(id => !drop.includes(id)).map(deleteSheet),
    ...growSheet(sheet_id, growthFor(target, work.rect)),
    ...(cells.length > 0 ? [guardLastCell(sheet_id, work.rect)] : []),
    ...clears.map(rect => clearCells(sheet_id, rect)),
    ...cells,
    ...formats,
    ...note.requests,
    ...entries.slice(RETAINED_ENTRIES).map(entry => deleteMetadata(entry.metadata_id)),
    createMetadata(sheet_id, {
      metadata_id: idFrom(work.run_id),
      key: metadataKey(work.report_id),
      value: JSON.stringify(stateOf(work, target, note)),
    }),
    ...drop.map(deleteSheet),
  ])
}

export const stateOf = (work: Work, target: Target, { note }: Pick<NotePlan, 'note'>): TabState => ({
  v: 1,
  ss: work.spreadsheet_id,
  sheet: target.sheet_id,
  run: work.run_id,
  n: (target.entries[0]?.state.n ?? 0) + 1,
  at: work.now().toISOString(),
  rect: work.rect,
  head: work.head,
  fmt: formatCodes(work, lastFormatted(target)),
  ...(note !== null && { note: noteHash(note) }),
})

/** A positive number of 31 bits, deterministic for the text. */
export function idFrom(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE(0) & 0x7fff_ffff || 1
}
