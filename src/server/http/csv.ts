import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Language, Text } from '#shared/language.ts'
import { csvLine, csvText } from '#shared/csv-cell.ts'
import { attachment } from './attachment.ts'

export type CsvCell = string | number | Date | null

export interface CsvColumn<Row> {
  /** `{zone}` stands for the time zone in which times are written. */
  header: Text
  cell: (row: Row, language: Language) => CsvCell
}

/** A whole list as a table; its rows come in batches, each read when the one before has been sent. */
export interface CsvFile {
  title: Text
  headers: readonly Text[]
  batches: (language: Language) => AsyncIterable<readonly (readonly CsvCell[])[]>
}

export function csvOf<Row>(
  title: Text,
  columns: readonly CsvColumn<Row>[],
  batches: AsyncIterable<readonly Row[]>,
): CsvFile {
  async function* cells(language: Language) {
    for await (const rows of batches) yield rows.map(row => columns.map(({ cell }) => cell(row, language)))
  }
  return { title, headers: columns.map(({ header }) => header), batches: cells }
}

interface Reader {
  language: Language
  /** The zone in which times are written, since a spreadsheet only takes local times. */
  time_zone: string
  /** Reads and writes one batch when it is this person's turn in the queue. */
  batch<T>(work: () => Promise<T>): Promise<T>
}

/**
 * Streams it (RFC 4180), so that a list of any length costs the memory of one batch. The first is read before
 * anything is sent, so that a failure is a refusal and not a truncated file. Before the last byte `note` gets
 * how many rows were read, and whether those were all.
 */
export async function sendCsv(
  reply: FastifyReply,
  { title, headers, batches }: CsvFile,
  {
    language,
    time_zone,
    batch,
    note,
  }: Reader & { note: (exported: { rows: number; is_whole: boolean }) => Promise<void> },
): Promise<void> {
  const exported = { rows: 0, is_whole: false }
  const rows = batches(language)[Symbol.asyncIterator]()
  const next = () =>
    batch(async () => {
      const { done, value } = await rows.next()
      if (done) return null
      exported.rows += value.length
      return value.map(row => lineOf(row, time_zone)).join('')
    })
  const first = await next()

  async function* texts() {
    try {
      // By this mark Excel recognises UTF-8.
      yield `\u{feff}${lineOf(
        headers.map(header => header[language].replace('{zone}', time_zone)),
        time_zone,
      )}`
      for (let text = first; text !== null; text = await next()) yield text
      exported.is_whole = true
    } finally {
      await rows.return?.()
      await note(exported)
    }
  }

  void reply.header('content-disposition', attachment(`${title[language]}.csv`))
  void reply.header('cache-control', 'no-store')
  await reply.type('text/csv; charset=utf-8').send(Readable.from(texts()))
}

const lineOf = (cells: readonly CsvCell[], timeZone: string) =>
  csvLine(cells.map(cell => (typeof cell === 'string' ? csvText(cell) : valueOf(cell, timeZone))))

function valueOf(cell: number | Date | null, timeZone: string): string {
  if (cell === null) return ''
  return cell instanceof Date ? localTime(cell, timeZone) : String(cell)
}

function localTime(at: Date, timeZone: string): string {
  const local = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone)
  return `${local.toPlainDate().toString()} ${local.toPlainTime().toString({ smallestUnit: 'second' })}`
}
