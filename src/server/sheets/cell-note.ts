import { rangeOf, type Rect } from '#shared/cell.ts'
import { covers } from '#shared/rect.ts'
import { writeNote, type RequestJson } from './body.ts'
import { protectionOver } from './plan.ts'
import { beginsAt, cellsFrom, noteHash, noteIn, readsNotes, startOf, type Target } from './target.ts'
import type { Work } from './work.ts'

// A report's note is on the start cell of its table, and changes with the table, in the same atomic change. A
// note that is not the one which the report wrote last is somebody's own and stays.

/** What becomes of the report's note. */
export interface NotePlan {
  requests: RequestJson[]
  /** The report's note that is there afterwards; null: none. */
  note: string | null
}

/** `note`: the new one; null: the last one is only removed. */
export async function planNote(
  work: Work,
  target: Target,
  note: string | null = work.table.note,
): Promise<NotePlan> {
  const { sheet_id } = target
  const start = startOf(work.rect)
  const last = target.old[0]?.note ?? null
  const hasMoved = last !== null && !beginsAt(last.cell, start)
  const requests: RequestJson[] = []
  // Elsewhere than under the table a protection may be in the way, which is no reason to fail.
  if (hasMoved && protectionOver(target, last.cell) === null)
    if (isNote(await noteAt(work, target, last.cell), last.hash))
      requests.push(writeNote(sheet_id, last.cell, null))
  const oldHash = last === null || hasMoved ? null : last.hash
  if (note === null && oldHash === null) return { requests, note }
  const present = await noteAt(work, target, start)
  if (note === null) {
    if (isNote(present, oldHash)) requests.push(writeNote(sheet_id, start, null))
    return { requests, note }
  }
  const isFree = present === '' || isNote(present, oldHash) || isNote(present, noteHash(note))
  return isFree
    ? { requests: [...requests, writeNote(sheet_id, start, note)], note }
    : { requests, note: null }
}

const isNote = (present: string, hash: string | null) => present !== '' && noteHash(present) === hash

/** The note that a cell has now; it is read in a request of its own only where no other has returned it. */
async function noteAt(work: Work, target: Target, cell: Rect): Promise<string> {
  if (!covers([0, 0, target.rows, target.columns], cell)) return ''
  const known = readsNotes(work) ? noteIn(target, cell) : null
  if (known !== null) return known
  const { sheets } = await work.requests.repeatable('header', { kind: 'read', ...work.limits }, () =>
    work.client.getSpreadsheet(
      work.spreadsheet_id,
      { fields: NOTE, ranges: [rangeOf(target.title, cell)] },
      work.signal,
    ),
  )
  return (sheets[0] && cellsFrom(sheets[0], cell)[0]?.note) ?? ''
}

const NOTE = 'sheets(properties(sheetId,title),data(startRow,startColumn,rowData.values.note))'
