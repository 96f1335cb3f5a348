import type { sheets_v4 } from '@googleapis/sheets'
import { refuseProtected } from '#sandbox/sheets/access.ts'
import { invalid } from '#sandbox/sheets/errors.ts'
import { readArea } from '#sandbox/sheets/grid-range.ts'
import { clearValues } from '#sandbox/sheets/grid.ts'
import { intersect, sameRect, subtract } from '#sandbox/sheets/rect.ts'
import type { Rect } from '#sandbox/sheets/rect.ts'
import type { Work } from '#sandbox/sheets/work.ts'

/** Covered cells lose their values; only the first cell keeps its own. */
export function mergeCells(work: Work, { range, mergeType }: sheets_v4.Schema$MergeCellsRequest) {
  const { sheet, rect } = readArea(work.book, range)
  refuseProtected(work, sheet, rect)
  const cut = sheet.merges.some(each => {
    const common = intersect(each, rect)
    return common && !sameRect(common, each)
  })
  if (cut) throw invalid('You must select all cells in a merged range to merge or unmerge them.')
  const merged = piecesOf(rect, mergeType ?? 'MERGE_ALL')
  sheet.merges = [...sheet.merges.filter(each => !intersect(each, rect)), ...merged]
  for (const piece of merged) {
    const first = { ...piece, r1: piece.r0 + 1, c1: piece.c0 + 1 }
    for (const covered of subtract(piece, first)) clearValues(work.cells, { sheet, rect: covered })
  }
}

export function unmergeCells(work: Work, { range }: sheets_v4.Schema$UnmergeCellsRequest) {
  const { sheet, rect } = readArea(work.book, range)
  refuseProtected(work, sheet, rect)
  const touched = sheet.merges.filter(each => intersect(each, rect))
  const cut = touched.some(each => {
    const common = intersect(each, rect)
    return common && !sameRect(common, each)
  })
  if (cut) throw invalid('You must select all cells in a merged range to merge or unmerge them.')
  sheet.merges = sheet.merges.filter(each => !touched.includes(each))
}

function piecesOf(rect: Rect, type: string): Rect[] {
  const pieces: Rect[] = []
  if (type === 'MERGE_ROWS')
    for (let row = rect.r0; row < rect.r1; row++) pieces.push({ ...rect, r0: row, r1: row + 1 })
  else if (type === 'MERGE_COLUMNS') {
    for (let column = rect.c0; column < rect.c1; column++)
      pieces.push({ ...rect, c0: column, c1: column + 1 })
  } else pieces.push(rect)
  return pieces.filter(({ r0, r1, c0, c1 }) => r1 - r0 > 1 || c1 - c0 > 1)
}
