import type { sheets_v4 } from '@googleapis/sheets'
import { invalid } from './errors.ts'
import { wants } from './fields-mask.ts'
import type { Mask } from './fields-mask.ts'
import { mergeFields } from './batch-update/fields.ts'
import type { Formats } from './formats.ts'
import { getFormat, setCell, setExtra, setFormat } from './tile.ts'
import type { Cell, Tile } from './tile.ts'
import { refuseLongText } from './work.ts'

type CellData = sheets_v4.Schema$CellData

const EXTRAS = ['note', 'dataValidation', 'textFormatRuns', 'hyperlink'] as const

/** The value of an ExtendedValue; null when it has none. */
function readExtended(value: sheets_v4.Schema$ExtendedValue | null | undefined): Cell {
  if (!value) return null
  const names = Object.keys(value)
  if (names.length > 1) throw invalid('Only one value may be set in userEnteredValue.')
  if (typeof value.stringValue === 'string') {
    refuseLongText(value.stringValue)
    return value.stringValue
  }
  if (typeof value.numberValue === 'number') {
    if (!Number.isFinite(value.numberValue)) throw invalid('numberValue must be a finite number.')
    return value.numberValue
  }
  if (typeof value.boolValue === 'boolean') return value.boolValue
  if (typeof value.formulaValue === 'string') {
    refuseLongText(value.formulaValue)
    if (!value.formulaValue.startsWith('=')) throw invalid('formulaValue must start with "=".')
    return { formula: value.formulaValue }
  }
  if (value.errorValue) throw invalid('errorValue cannot be set.')
  return null
}

/**
 * Puts the masked members of CellData into cells; made once per request, because masks and formats repeat.
 */
export function cellWriter(mask: Mask, formats: Formats) {
  const parts = {
    value: wants(mask, 'userEnteredValue'),
    format: '*' in mask || 'userEnteredFormat' in mask,
    extras: EXTRAS.filter(name => wants(mask, name)),
  }
  const formatMask = '*' in mask ? null : (mask['userEnteredFormat'] ?? null)
  const numbers = new Map<number, number>()
  let mergedFrom: object | null = null

  /**
   * The number of the format that a cell of format `before` has afterwards. Remembered while the same
   * CellData goes on.
   */
  function formatAfter(before: number, data: CellData): number {
    if (mergedFrom !== data) numbers.clear()
    mergedFrom = data
    const known = numbers.get(before)
    if (known !== undefined) return known
    const number = formats.numberOf(
      mergeFields({ ...formats.get(before) }, { ...data.userEnteredFormat }, formatMask),
    )
    numbers.set(before, number)
    return number
  }

  return {
    changesValues: parts.value,
    makesTiles: parts.format || parts.extras.length > 0,
    put(tile: Tile, position: number, data: CellData) {
      if (parts.value) setCell(tile, position, readExtended(data.userEnteredValue))
      if (parts.format) setFormat(tile, position, formatAfter(getFormat(tile, position), data))
      if (parts.extras.length > 0) {
        const extra = { ...tile.extras.get(position) }
        for (const name of parts.extras) {
          if (data[name] === undefined || data[name] === '') delete extra[name]
          else extra[name] = data[name]
        }
        setExtra(tile, position, extra)
      }
    },
  }
}
