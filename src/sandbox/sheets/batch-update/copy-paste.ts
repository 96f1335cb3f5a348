import type { sheets_v4 } from '@googleapis/sheets'
import { refuseProtected } from '#sandbox/sheets/access.ts'
import type { Sheet } from '#sandbox/sheets/book.ts'
import { notSupported } from '#sandbox/sheets/errors.ts'
import { copyFormula } from '#sandbox/sheets/formula-text.ts'
import { openEvaluator } from '#sandbox/sheets/formula.ts'
import { readArea } from '#sandbox/sheets/grid-range.ts'
import { copyArea } from '#sandbox/sheets/grid.ts'
import type { Area, Take } from '#sandbox/sheets/grid.ts'
import { intersect } from '#sandbox/sheets/rect.ts'
import { FORMULA, getCell } from '#sandbox/sheets/tile.ts'
import type { Cell } from '#sandbox/sheets/tile.ts'
import type { Work } from '#sandbox/sheets/work.ts'

/** A destination that is a multiple of the source repeats it; any other receives it once, whole. */
export function copyPaste(work: Work, request: sheets_v4.Schema$CopyPasteRequest) {
  if (request.pasteOrientation === 'TRANSPOSE')
    throw notSupported('copyPaste with pasteOrientation TRANSPOSE')
  const type = request.pasteType ?? 'PASTE_NORMAL'
  const source = readArea(work.book, request.source)
  const destination = readArea(work.book, request.destination)
  const [height, width] = [source.rect.r1 - source.rect.r0, source.rect.c1 - source.rect.c0]
  const times = {
    down: repeats(destination.rect.r1 - destination.rect.r0, height),
    right: repeats(destination.rect.c1 - destination.rect.c0, width),
  }
  const { r0, c0 } = destination.rect
  const target = { r0, c0, r1: r0 + height * times.down, c1: c0 + width * times.right }
  const area = intersect(target, { r0: 0, c0: 0, r1: destination.sheet.rows, c1: destination.sheet.columns })
  if (!area) return
  refuseProtected(work, destination.sheet, area)
  const from = awayFrom(work, source, { sheet: destination.sheet, rect: target })
  for (let i = 0; i < times.down; i++) {
    for (let j = 0; j < times.right; j++) {
      const to = { sheet: destination.sheet, row: r0 + i * height, column: c0 + j * width }
      const moved = { down: to.row - source.rect.r0, right: to.column - source.rect.c0 }
      copyArea(work.cells, { from, to }, takeOf(work, type, { sheet: source.sheet, ...moved }))
    }
  }
  if (from.sheet.key !== source.sheet.key) work.cells.drop(from.sheet.key)
}

const repeats = (room: number, size: number) => (room % size === 0 ? room / size : 1)

/** Where source and destination overlap, the source is first copied aside. */
function awayFrom(work: Work, source: Area, target: Area): Area {
  if (source.sheet !== target.sheet || !intersect(source.rect, target.rect)) return source
  const aside = { ...source.sheet, key: work.next('sheet') }
  work.cells.copyAll(source.sheet.key, aside.key)
  return { sheet: aside, rect: source.rect }
}

function takeOf(
  work: Work,
  type: string,
  { sheet, down, right }: { sheet: Sheet; down: number; right: number },
): Take {
  const format = (number: number) => number
  const formulas: Take['cell'] = (tile, position) => {
    const cell = getCell(tile, position)
    return cell !== null && typeof cell === 'object'
      ? { formula: copyFormula(cell.formula, down, right) }
      : cell
  }
  const evaluate = openEvaluator(work.book, work.cells)
  const values: Take['cell'] = (tile, position, row, column): Cell => {
    if (tile.kinds[position] !== FORMULA) return getCell(tile, position)
    const result = evaluate(sheet, row, column)
    return result !== null && typeof result === 'object' ? result.error : result
  }
  switch (type) {
    case 'PASTE_VALUES':
      return { cell: values }
    case 'PASTE_FORMULA':
      return { cell: formulas }
    case 'PASTE_FORMAT':
      return { format }
    case 'PASTE_NO_BORDERS':
      return { cell: formulas, format: number => withoutBorders(work, number), extras: true }
    case 'PASTE_DATA_VALIDATION':
    case 'PASTE_CONDITIONAL_FORMATTING':
      throw notSupported(`copyPaste with pasteType ${type}`)
    default:
      return { cell: formulas, format, extras: true }
  }
}

function withoutBorders({ formats }: Work, number: number): number {
  const { borders: _, ...rest } = formats.get(number)
  return formats.numberOf(rest)
}
