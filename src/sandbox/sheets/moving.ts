import type { Sheet } from './book.ts'
import { mapReferences } from './formula-text.ts'
import type { Corner } from './formula-text.ts'
import type { Dimension } from './grid-range.ts'
import { gridOf } from './grid.ts'
import { shiftRect, shiftSpan } from './rect.ts'
import type { Move, Rect } from './rect.ts'
import { FORMULA, getCell, setCell } from './tile.ts'
import type { Work } from './work.ts'

type Shift = (rect: Rect) => Rect | null

/** After rows or columns were put in or taken out: move all that points at cells of the tab. */
export function shiftEverything(
  work: Work,
  sheet: Sheet,
  { dimension, ...move }: Move & { dimension: Dimension },
) {
  const shift: Shift = rect => shiftRect(rect, dimension, move)
  moveNames(work, sheet, shift)
  moveLooks(sheet, dimension, move)
  sheet.merges = sheet.merges
    .flatMap(rect => shift(rect) ?? [])
    .filter(rect => rect.r1 - rect.r0 > 1 || rect.c1 - rect.c0 > 1)
  sheet.protections = sheet.protections.flatMap(each => {
    const rect = shift(each.rect)
    return rect ? [{ ...each, rect, unprotected: each.unprotected.flatMap(hole => shift(hole) ?? []) }] : []
  })
  const filterRect = sheet.filter && shift(sheet.filter.rect)
  sheet.filter = sheet.filter && filterRect ? { ...sheet.filter, rect: filterRect } : null
  work.book.metadata = work.book.metadata.flatMap(each => {
    const { location } = each
    const type = dimension === 'ROWS' ? 'ROW' : 'COLUMN'
    if (location.type !== type || location.sheet_id !== sheet.sheet_id) return [each]
    const span = shiftSpan(location.start, location.end, move)
    return span ? [{ ...each, location: { ...location, start: span[0], end: span[1] } }] : []
  })
  moveFormulas(work, sheet, shift)
}

/** After a tab was deleted: its names break, its metadata goes, formulas that pointed at it are lost. */
export function loseTab(work: Work, sheet: Sheet) {
  moveNames(work, sheet, () => null)
  const { book } = work
  book.metadata = book.metadata.filter(
    ({ location }) => location.type === 'SPREADSHEET' || location.sheet_id !== sheet.sheet_id,
  )
  moveFormulas(work, sheet, () => null)
}

/** Formulas follow a tab's new title. */
export function renameInFormulas(work: Work, from: string, to: string) {
  changeFormulas(work, (_, formula) =>
    mapReferences(formula, reference => (reference.title === from ? { ...reference, title: to } : reference)),
  )
}

function moveNames({ book }: Work, sheet: Sheet, shift: Shift) {
  book.named_ranges = book.named_ranges.flatMap(each => {
    if (each.sheet_id !== sheet.sheet_id) return [each]
    const rect = shift(each.rect)
    // The name stays taken though nothing can list or delete it any more (Google issue 126262167).
    if (!rect) book.broken_names.push(each.name)
    return rect ? [{ ...each, rect }] : []
  })
}

function moveLooks(sheet: Sheet, dimension: Dimension, move: Move) {
  const looks = dimension === 'ROWS' ? sheet.row_looks : sheet.column_looks
  const moved = looks.flatMap(look => {
    const span = shiftSpan(look.start, look.end, move)
    return span ? [{ ...look, start: span[0], end: span[1] }] : []
  })
  if (dimension === 'ROWS') sheet.row_looks = moved
  else sheet.column_looks = moved
}

function moveFormulas(work: Work, sheet: Sheet, shift: Shift) {
  changeFormulas(work, (home, formula) =>
    mapReferences(formula, reference => {
      const pointsHere = reference.title === null ? home === sheet : reference.title === sheet.title
      return pointsHere ? shiftReference(reference, shift) : reference
    }),
  )
}

function shiftReference(
  { title, first, last }: { title: string | null; first: Corner; last: Corner | null },
  shift: Shift,
) {
  const end = last ?? first
  const rect = shift({
    r0: first.row ?? 0,
    c0: first.column ?? 0,
    r1: end.row === null ? Infinity : end.row + 1,
    c1: end.column === null ? Infinity : end.column + 1,
  })
  if (!rect) return null
  const corner = (from: Corner, row: number, column: number): Corner => ({
    ...from,
    row: from.row === null ? null : row,
    column: from.column === null ? null : column,
  })
  return {
    title,
    first: corner(first, rect.r0, rect.c0),
    last: last && corner(last, rect.r1 - 1, rect.c1 - 1),
  }
}

function changeFormulas({ book, cells }: Work, change: (home: Sheet, formula: string) => string) {
  for (const sheet of book.sheets) {
    for (const { row_block, column_block } of cells.within(sheet.key, gridOf(sheet), true)) {
      const tile = cells.edit(sheet.key, row_block, column_block)
      for (
        let position = tile.kinds.indexOf(FORMULA);
        position >= 0;
        position = tile.kinds.indexOf(FORMULA, position + 1)
      ) {
        const cell = getCell(tile, position)
        if (cell !== null && typeof cell === 'object')
          setCell(tile, position, { formula: change(sheet, cell.formula) })
      }
    }
  }
}
