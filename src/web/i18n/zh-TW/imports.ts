import type { imports as english } from '#web/i18n/en/imports.ts'
import type { TextsLike } from '#web/i18n/texts.ts'

export const imports: TextsLike<typeof english> = {
  hint: '請使用含標題列的 CSV 檔：{{columns}}。最簡單的方式是先匯出此清單，編輯後再匯入。{{matching}}',
  by_name: '資料列以名稱比對。',
  file: '檔案',
  create: '新增',
  change: '變更',
  same: '不變',
  nothing: '不會有任何變更：{{count}} 列資料皆已存在。',
  problems_other: '檔案中有 {{count}} 個問題',
  problems_detail: '所有問題修正後才會匯入。',
  problem_list: '檔案中的問題',
  row: '列',
  field: '欄位',
  problem: '問題',
  submit: '匯入',
  submit_rows_other: '匯入 {{count}} 列',
  done_other: '已匯入 {{count}} 列',
}
