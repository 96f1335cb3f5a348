import type { Book } from './book.ts'
import type { Cells } from './cells.ts'
import { notSupported } from './errors.ts'
import type { Answer } from './wire.ts'

export function exportXlsx(_source: { book: Book; cells: Cells }): Answer {
  throw notSupported('xlsx')
}
