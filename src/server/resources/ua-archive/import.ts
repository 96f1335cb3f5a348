import type { Db } from '#server/db/connect.ts'
import { readHeader, readLine, type Header } from './columns.ts'
import {
  addIncoming,
  deleteReplacedDays,
  insertIncomingDays,
  insertIncomingRows,
  openIncoming,
  repeatedLines,
  type IncomingLines,
} from './queries.ts'
import { recordsOf, type CsvRecord } from './records.ts'

export interface Imported {
  days: number
  /** Of these days, those that were replaced. */
  replaced: number
  rows: number
  first: string
  last: string
}

export interface LineProblem {
  line: number
  problem: string
}

/** Why nothing of a file was archived: its first problems, and how many there are. */
export class UnusableFile extends Error {
  readonly problems: readonly LineProblem[]
  readonly count: number
  constructor(problems: readonly LineProblem[], count = problems.length) {
    super(problems.map(({ line, problem }) => `line ${line}: ${problem}`).join('\n'))
    this.name = 'UnusableFile'
    this.problems = problems
    this.count = count
  }
}

/**
 * Archives a CSV file of one view as it is read: its days replace those that were archived with the same
 * dimensions. All of it or nothing: a single invalid line ends in UnusableFile.
 */
export async function importArchive(
  db: Db,
  view_id: string,
  { file, now }: { file: AsyncIterable<Uint8Array>; now: Date },
): Promise<Imported> {
  return await db.transaction().execute(async trx => {
    await openIncoming(trx, view_id)
    const { dimensions, metrics } = await readFile(trx, file)
    const incoming = { view_id, dimensions, metrics }
    const replaced = await deleteReplacedDays(trx, incoming)
    const { days, rows, first, last } = await insertIncomingDays(trx, incoming, now)
    if (first === null || last === null)
      throw new UnusableFile([{ line: 2, problem: 'there is nothing below the header' }])
    await insertIncomingRows(trx, incoming)
    return { days, replaced, rows, first, last }
  })
}

/** Copies all lines of a file into the database, and returns their views and days. */
async function readFile(trx: Db, file: AsyncIterable<Uint8Array>): Promise<Header> {
  const records = recordsOf(file)
  try {
    const header = await headerOf(records)
    await readLines(trx, records, header)
    return header
  } finally {
    // Closes the file, however far it was read.
    await records.return(undefined)
  }
}

async function headerOf(records: AsyncIterator<CsvRecord>): Promise<Header> {
  const { value, done } = await records.next()
  if (done) throw new UnusableFile([{ line: 1, problem: 'there is no header' }])
  if ('problem' in value) throw new UnusableFile([value])
  const header = readHeader(value.fields)
  if (Array.isArray(header)) throw new UnusableFile(header.map(problem => ({ line: value.line, problem })))
  return header
}

/** So many lines are sent to the database at once. */
const BATCH = 2000
/** So many problems are listed. */
const MOST_REPORTED = 20

async function readLines(trx: Db, records: AsyncIterable<CsvRecord>, header: Header): Promise<void> {
  const problems = createProblems()
  let batch = noLines()
  for await (const record of records) {
    const { line } = record
    const read = 'problem' in record ? record.problem : readLine(record.fields, header)
    if (typeof read === 'string') problems.add(line, read)
    // What follows a problem is only read for further problems.
    if (typeof read === 'string' || problems.count() > 0) continue
    batch.lines.push(line)
    batch.days.push(read.day)
    batch.keys.push(arrayText(read.keys))
    batch.figures.push(arrayText(read.figures))
    if (batch.lines.length < BATCH) continue
    await addIncoming(trx, batch)
    batch = noLines()
  }
  problems.refuse()
  await addIncoming(trx, batch)
  for (const { line, of } of await repeatedLines(trx, MOST_REPORTED))
    problems.add(line, `the same day and dimensions as line ${of}`)
  problems.refuse()
}

function createProblems() {
  const reported: LineProblem[] = []
  let count = 0
  return {
    count: () => count,
    add(line: number, problem: string) {
      count += 1
      if (reported.length < MOST_REPORTED) reported.push({ line, problem })
    },
    refuse() {
      if (count > 0) throw new UnusableFile(reported, count)
    },
  }
}

const noLines = (): IncomingLines => ({ lines: [], days: [], keys: [], figures: [] })

/** A list in the text format of Postgres arrays. */
const arrayText = (items: readonly string[]) =>
  `{${items.map(item => `"${item.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`
