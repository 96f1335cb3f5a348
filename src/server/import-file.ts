import type { ImportReply } from '#shared/api/customers.ts'
import type { Text } from '#shared/language.ts'
import { csvRows } from '#server/connectors/kit/csv.ts'
import { textOfCell } from '#shared/csv-cell.ts'
import { refuse } from '#server/http/refusal.ts'

export const MOST_BYTES = 1024 * 1024
const MOST_ROWS = 5000
/** Nobody reads more of them at once. */
export const MOST_PROBLEMS = 200

export interface ImportColumn {
  /** Its name in the file, or the title that an export gives it in either language. */
  field: string
  header: Text
  /** What the field becomes; undefined: the cell says nothing. null: exports have it, imports skip it. */
  read: ((text: string) => unknown) | null
}

export type ImportProblem = ImportReply['problems'][number]

/** The rows of a table that somebody has filled in. The header is row 1. */
export interface ImportFile {
  rows: { row: number; values: Record<string, unknown> }[]
  problems: ImportProblem[]
}

/** Reads a CSV file; refused as a whole when it is none, or too large. */
export async function readImportFile(
  file: File,
  columns: readonly ImportColumn[],
  required: readonly string[] = ['name'],
): Promise<ImportFile> {
  if (file.size > MOST_BYTES) throw unusable('file_too_large')
  return importRows(await linesOfFile(file), columns, required)
}

/** The lines of a CSV file as their cells; of one that is too large, those that fit. */
export async function linesOfFile(file: File): Promise<string[][]> {
  const bytes = new Uint8Array(await file.slice(0, MOST_BYTES).arrayBuffer())
  const isWhole = file.size <= MOST_BYTES
  return linesOf(decoded(isWhole ? bytes : bytes.subarray(0, bytes.lastIndexOf(NEW_LINE) + 1)))
}

const NEW_LINE = 10

export function importRows(
  [header = [], ...lines]: readonly string[][],
  columns: readonly ImportColumn[],
  required: readonly string[],
): ImportFile {
  if (lines.length > MOST_ROWS) throw unusable('field_too_many')
  const found = header.map(title => columnFor(title, columns))
  const problems = problemsOfHeader(header, found)
  for (const field of required)
    if (!found.some(column => column?.field === field))
      problems.push({ row: 1, field, code: 'field_required' })
  const rows = lines.flatMap((cells, at) => {
    if (cells.every(cell => cell.trim() === '')) return []
    const values = found.flatMap((column, index) =>
      column?.read ? [[column.field, column.read(textOfCell(cells[index] ?? '').trim())] as const] : [],
    )
    return [{ row: at + 2, values: Object.fromEntries(values.filter(([, value]) => value !== undefined)) }]
  })
  return { rows, problems }
}

/** Whether a line has something under no title: with a comma for its decimals, one number is two. */
export const hasSurplus = (cells: readonly string[], header: readonly string[]): boolean =>
  cells.some((cell, at) => cell.trim() !== '' && (header[at] ?? '').trim() === '')

export const unusable = (code: 'file_too_large' | 'file_unreadable' | 'field_too_many') =>
  refuse('invalid', { fields: { file: [code] } })

/** UTF-8, or Big5, in which Excel writes CSV files in Taiwan. */
function decoded(bytes: Uint8Array): string {
  for (const encoding of ['utf-8', 'big5'])
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(bytes)
    } catch {
      continue
    }
  throw unusable('file_unreadable')
}

function linesOf(text: string): string[][] {
  if (text.includes('\0')) throw unusable('file_unreadable')
  try {
    return [...csvRows(text, delimiterOf(text))]
  } catch {
    throw unusable('file_unreadable')
  }
}

/** By the header: half of Europe separates by semicolons, and a table that was copied by tabs. */
function delimiterOf(text: string): string {
  const [header = ''] = text.split('\n', 1)
  return [';', '\t'].find(each => header.includes(each) && !header.includes(',')) ?? ','
}

function columnFor(title: string, columns: readonly ImportColumn[]): ImportColumn | undefined {
  const name = title.trim().toLowerCase()
  return columns.find(({ field, header }) =>
    [field, header.en, header['zh-TW']].some(text => text.toLowerCase() === name),
  )
}

const problemsOfHeader = (
  header: readonly string[],
  found: readonly (ImportColumn | undefined)[],
): ImportProblem[] =>
  header.flatMap((title, at): ImportProblem[] => {
    const column = found[at]
    if (!column) return [{ row: 1, field: title.slice(0, 100), code: 'field_unknown' }]
    return found.indexOf(column) < at ? [{ row: 1, field: column.field, code: 'field_invalid' }] : []
  })

/** What an import answers: 400 with the same facts when it was to be written and cannot be. */
export function importReply(
  { create, change, same, problems }: ImportReply,
  { dry_run }: { dry_run: boolean },
): ImportReply {
  const reply = { create, change, same, problems: problems.slice(0, MOST_PROBLEMS) }
  if (!dry_run && problems.length > 0)
    throw refuse('invalid', { fields: { file: ['field_invalid'] }, extra: reply })
  return reply
}
