import type { sheets_v4 } from '@googleapis/sheets'
import { readArea } from '#sandbox/sheets/grid-range.ts'
import { sheetOf } from '#sandbox/sheets/work.ts'
import type { Work } from '#sandbox/sheets/work.ts'

export function setBasicFilter(work: Work, { filter }: sheets_v4.Schema$SetBasicFilterRequest) {
  const { range, ...rest } = filter ?? {}
  const { sheet, rect } = readArea(work.book, range)
  sheet.filter = { rect, rest }
}

export function clearBasicFilter(work: Work, { sheetId }: sheets_v4.Schema$ClearBasicFilterRequest) {
  sheetOf(work.book, sheetId).filter = null
}
