import type { HashCounts, UploadMembers } from '#shared/api/audiences.ts'
import type { MemberColumn } from '#shared/audiences.ts'
import { csvLine, csvText } from '#shared/csv-cell.ts'
import { BatchRows } from './batch-rows.ts'
import { formsOf } from './columns.ts'
import { readRows } from './csv-rows.ts'
import type { ColumnRoles, FileFormat } from './file-format.ts'
import { rowReader, type RowProblem } from './member-row.ts'
import { rowHasher } from './row-hasher.ts'
import { KeySet } from './key-set.ts'

// Each pass reads the file from its beginning: nothing of it is kept, neither texts nor hashes, and as the
// file does not change, each finds the same rows in the same order.

/** A file, and how its rows are read. */
export interface FileReading {
  file: Blob
  format: FileFormat
  has_headings: boolean
  columns: ColumnRoles
  /** Of numbers that name none. */
  country: string
}

/** What there is in the file; nothing is sent. */
export async function countRows(
  reading: FileReading,
  onProgress: (rows: number) => void,
): Promise<{ rows: number; counts: HashCounts }> {
  const pass = await startPass(reading)
  let rows = 0
  for await (const some of bodyOf(reading)) {
    for (const row of some) pass.step(row)
    rows += some.length
    onProgress(rows)
  }
  return { rows, counts: pass.counts }
}

/** What all batches of an upload have in common. */
export type Envelope = Pick<UploadMembers, 'session' | 'action' | 'basis' | 'instead_of'>

export interface Batch {
  seq: number
  last: boolean
  rows: number
  /** The request's body: sent again, it is sent as it is. */
  body: ArrayBuffer
}

/** The batches of an upload from number `from` on. */
export async function* batchesOf(
  reading: FileReading,
  { session, action, basis, instead_of }: Envelope,
  from = 1,
): AsyncGenerator<Batch, void, void> {
  const pass = await startPass(reading)
  const rows = new BatchRows(pass.columns.length)
  let seq = 1
  const seal = (last: boolean): Batch => ({
    seq,
    last,
    rows: rows.count,
    body: rows.seal({
      session,
      seq,
      last,
      action,
      columns: pass.columns,
      ...(seq === 1 && { basis, instead_of }),
      ...(last && { counts: pass.counts }),
    }),
  })
  for await (const some of bodyOf(reading)) {
    for (const row of some) {
      const hashed = pass.step(row)
      if (hashed === null) continue
      // Only the next row tells that this batch is not the last one.
      if (rows.isFull) {
        if (seq >= from) yield seal(false)
        rows.clear()
        seq++
      }
      rows.add(hashed)
    }
  }
  if (rows.count > 0 && seq >= from) yield seal(true)
}

/** The hashes of one form, one a line, for a platform whose own screen takes the file. */
export async function hashedLines(reading: FileReading, form: MemberColumn): Promise<Blob> {
  const pass = await startPass(reading)
  const at = pass.columns.indexOf(form)
  const parts: Uint8Array<ArrayBuffer>[] = []
  for await (const some of bodyOf(reading)) {
    const lines = new Uint8Array(some.length * LINE)
    let end = 0
    for (const row of some) {
      const hashed = pass.step(row)
      if (hashed?.isThere[at] !== true) continue
      end = hashed.writeHex(at, lines, end)
      lines[end++] = NEWLINE
    }
    if (end > 0) parts.push(lines.slice(0, end))
  }
  return new Blob(parts, { type: 'text/plain' })
}

const LINE = 65
const NEWLINE = 10

/** The rows that had a problem, as they were, each with what it was: for mending the file. */
export async function rejectedRows(
  reading: FileReading,
  words: Readonly<Record<RowProblem, string>>,
): Promise<Blob> {
  const read = rowReader(reading.columns, reading.country)
  const parts = ['\ufeff']
  for await (const some of bodyOf(reading)) {
    const lines = some.flatMap(row => {
      const { problems } = read(row)
      if (problems.length === 0) return []
      return csvLine([problems.map(problem => words[problem]).join(' / '), ...row].map(csvText))
    })
    parts.push(lines.join(''))
  }
  return new Blob(parts, { type: 'text/csv' })
}

async function startPass({ columns: roles, country }: FileReading) {
  const columns = formsOf(roles)
  const read = rowReader(roles, country)
  const hasher = await rowHasher(columns)
  const keys = new KeySet()
  const counts: HashCounts = {
    valid: 0,
    duplicate: 0,
    no_identifier: 0,
    bad_email: 0,
    bad_phone: 0,
    no_consent: 0,
  }
  return {
    columns,
    counts,
    /** The row, hashed; null when it is not to be sent. */
    step(row: readonly string[]) {
      const { forms, isUsable, problems } = read(row)
      for (const problem of problems) counts[problem]++
      if (!isUsable) return null
      const hashed = hasher.hash(forms)
      const isNew = keys.add(hashed.high, hashed.low)
      counts[isNew ? 'valid' : 'duplicate']++
      return isNew ? hashed : null
    },
  }
}

/** The rows without their headings. */
async function* bodyOf({ file, format, has_headings }: FileReading) {
  let isFirst = has_headings
  for await (const rows of readRows(file, format)) {
    if (rows.length === 0) continue
    yield isFirst ? rows.slice(1) : rows
    isFirst = false
  }
}
