import { randomInt } from 'node:crypto'
import type { sheets_v4 } from '@googleapis/sheets'
import { parseCells } from '#sandbox/sheets/a1.ts'
import type { Book, NamedRange } from '#sandbox/sheets/book.ts'
import { invalid } from '#sandbox/sheets/errors.ts'
import { wants } from '#sandbox/sheets/fields-mask.ts'
import { readGridRange, readArea, writeGridRange } from '#sandbox/sheets/grid-range.ts'
import type { Work } from '#sandbox/sheets/work.ts'
import { readFields } from './fields.ts'

export function addNamedRange(
  work: Work,
  { namedRange }: sheets_v4.Schema$AddNamedRangeRequest,
): sheets_v4.Schema$Response {
  const { book } = work
  const name = readName(namedRange?.name)
  refuseTaken(book, name)
  const id = namedRange?.namedRangeId ?? String(randomInt(1, 2 ** 31))
  if (book.named_ranges.some(each => each.id === id))
    throw invalid(`A named range with id: ${id} already exists.`)
  const { sheet } = readArea(book, namedRange?.range)
  const made = { id, name, sheet_id: sheet.sheet_id, rect: readGridRange(book, namedRange?.range).rect }
  book.named_ranges.push(made)
  return { addNamedRange: { namedRange: viewNamedRange(made) } }
}

export function updateNamedRange(
  work: Work,
  { namedRange, fields }: sheets_v4.Schema$UpdateNamedRangeRequest,
) {
  const mask = readFields(fields, 'NamedRange')
  const found = named(work.book, namedRange?.namedRangeId)
  if (wants(mask, 'name')) {
    const name = readName(namedRange?.name)
    refuseTaken(work.book, name, found)
    found.name = name
  }
  if (wants(mask, 'range')) {
    const { sheet } = readArea(work.book, namedRange?.range)
    found.sheet_id = sheet.sheet_id
    found.rect = readGridRange(work.book, namedRange?.range).rect
  }
}

export function deleteNamedRange({ book }: Work, { namedRangeId }: sheets_v4.Schema$DeleteNamedRangeRequest) {
  const found = named(book, namedRangeId)
  book.named_ranges = book.named_ranges.filter(each => each !== found)
}

export const viewNamedRange = ({ id, name, sheet_id, rect }: NamedRange): sheets_v4.Schema$NamedRange => ({
  namedRangeId: id,
  name,
  range: writeGridRange(sheet_id, rect),
})

function named(book: Book, id: string | null | undefined): NamedRange {
  const found = book.named_ranges.find(each => each.id === id)
  if (!found) throw invalid(`No named range with id: ${id ?? ''}`)
  return found
}

function readName(name: string | null | undefined): string {
  const good =
    name &&
    name.length <= 250 &&
    /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) &&
    !/^(true|false)$/i.test(name) &&
    !parseCells(name) &&
    !/^(R\d*C\d*|R\d*|C\d*)$/i.test(name)
  if (!good) throw invalid('The name given to this range is invalid')
  return name
}

function refuseTaken(book: Book, name: string, except?: NamedRange) {
  const same = (other: string) => other.toLowerCase() === name.toLowerCase()
  if (book.broken_names.some(same) || book.named_ranges.some(each => each !== except && same(each.name))) {
    throw invalid(`Cannot add named range with name: ${name}, a named range with that name already exists.`)
  }
}
