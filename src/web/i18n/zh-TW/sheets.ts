import type { sheets as english } from '../en/sheets.ts'
import type { TextsLike } from '../texts.ts'

export const sheets: TextsLike<typeof english> = {
  title: '試算表',
  detail: 'Sheetcast 內建的試算表，報表寫入的方式與 Google 試算表相同。',
}
