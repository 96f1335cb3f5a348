import type { sheets_v4 } from '@googleapis/sheets'
import { refuseProtectedTab } from '#sandbox/sheets/access.ts'
import type { DimensionLook, Sheet } from '#sandbox/sheets/book.ts'
import { invalid } from '#sandbox/sheets/errors.ts'
import { wants } from '#sandbox/sheets/fields-mask.ts'
import { readDimension, readDimensionRange } from '#sandbox/sheets/grid-range.ts'
import { eachCell, readExisting } from '#sandbox/sheets/grid.ts'
import { display, valueOf } from '#sandbox/sheets/render.ts'
import { openEvaluator } from '#sandbox/sheets/formula.ts'
import { getFormat } from '#sandbox/sheets/tile.ts'
import { sheetOf } from '#sandbox/sheets/work.ts'
import type { Work } from '#sandbox/sheets/work.ts'
import { readFields } from './fields.ts'
import { resize } from './resize.ts'

export function appendDimension(
  work: Work,
  { sheetId, dimension, length }: sheets_v4.Schema$AppendDimensionRequest,
) {
  const sheet = sheetOf(work.book, sheetId)
  const which = readDimension(dimension)
  if (!length || length < 1) throw invalid(`length[${length ?? 0}] must be greater than 0`)
  refuseProtectedTab(work, sheet)
  resize(work, sheet, { dimension: which, size: (which === 'ROWS' ? sheet.rows : sheet.columns) + length })
}

export function updateDimensionProperties(
  work: Work,
  request: sheets_v4.Schema$UpdateDimensionPropertiesRequest,
) {
  const mask = readFields(request.fields, 'DimensionProperties')
  const { sheet, dimension, start, end, size } = readDimensionRange(work.book, request.range)
  refuseProtectedTab(work, sheet)
  const { pixelSize, hiddenByUser } = request.properties ?? {}
  changeLooks(sheet, { dimension, start, end: Math.min(end, size) }, look => ({
    ...look,
    ...(wants(mask, 'pixelSize') && { pixel_size: pixelSize ?? null }),
    ...(wants(mask, 'hiddenByUser') && { hidden: hiddenByUser ?? false }),
  }))
}

/** Widths from the longest text of the first rows; heights go back to normal. */
export function autoResizeDimensions(work: Work, request: sheets_v4.Schema$AutoResizeDimensionsRequest) {
  const { sheet, dimension, start, end, size } = readDimensionRange(work.book, request.dimensions)
  refuseProtectedTab(work, sheet)
  const last = Math.min(end, size)
  if (dimension === 'ROWS') {
    changeLooks(sheet, { dimension, start, end: last }, look => ({ ...look, pixel_size: null }))
    return
  }
  const widths = textWidths(work, sheet, { start, end: last })
  for (let column = start; column < last; column++) {
    const pixel_size = Math.min(1000, Math.max(21, 17 + 7 * (widths.get(column) ?? 0)))
    changeLooks(sheet, { dimension, start: column, end: column + 1 }, look => ({ ...look, pixel_size }))
  }
}

const MEASURED_ROWS = 1000

function textWidths({ book, cells }: Work, sheet: Sheet, { start, end }: { start: number; end: number }) {
  const evaluate = openEvaluator(book, cells)
  const widths = new Map<number, number>()
  const measured = { r0: 0, r1: MEASURED_ROWS, c0: start, c1: end }
  readExisting(cells, { sheet, rect: measured }, (tile, part) => {
    eachCell(part, (position, row, column) => {
      const format = book.formats[getFormat(tile, position)]?.numberFormat
      const text = display(valueOf(tile, position, { sheet, row, column }, evaluate), format, book.locale)
      if (text.length > (widths.get(column) ?? 0)) widths.set(column, text.length)
    })
  })
  return widths
}

/** Change the size and visibility of a span; entries with nothing special disappear. */
function changeLooks(
  sheet: Sheet,
  { dimension, start, end }: { dimension: 'ROWS' | 'COLUMNS'; start: number; end: number },
  change: (look: DimensionLook) => DimensionLook,
) {
  const looks = dimension === 'ROWS' ? sheet.row_looks : sheet.column_looks
  const outside = looks.flatMap(look => [
    { ...look, end: Math.min(look.end, start) },
    { ...look, start: Math.max(look.start, end) },
  ])
  const changed: DimensionLook[] = []
  const edges = [...new Set([start, end, ...looks.flatMap(look => [look.start, look.end])])]
    .filter(edge => edge >= start && edge <= end)
    .toSorted((a, b) => a - b)
  for (const [i, from] of edges.entries()) {
    const to = edges[i + 1]
    if (to === undefined) break
    const look = looks.find(each => each.start <= from && each.end >= to)
    changed.push(change({ pixel_size: null, hidden: false, ...look, start: from, end: to }))
  }
  const result = [...outside.filter(look => look.start < look.end), ...changed]
    .filter(look => look.pixel_size !== null || look.hidden)
    .toSorted((a, b) => a.start - b.start)
  if (dimension === 'ROWS') sheet.row_looks = result
  else sheet.column_looks = result
}
