import type { budget as english } from '#web/i18n/en/budget.ts'
import type { TextsLike } from '#web/i18n/texts.ts'

export const budget: TextsLike<typeof english> = {
  title: '表格大小',
  columns_other: '{{count}} 欄',
  rows: '{{rows}} 列 × {{columns}} 欄，含標題共 {{cells}} 個儲存格',
  rows_about: '約 {{rows}} 列 × {{columns}} 欄，含標題共 {{cells}} 個儲存格',
  written: '與試算表中的表格相同。',
  next: '下次執行將寫入 {{rows}} 列。',
  unknown: '列數視資料而定。',
  from: {
    part: '依最前面的日期推算。',
    last_run: '與上次的表格相同。',
  },
  meter: '試算表已使用的儲存格',
  used: '寫入後試算表共有 {{total}} 個儲存格，上限為 10,000,000 個（{{share}}），空白儲存格亦計入。',
  growth: '工作表將為此增加 {{cells}} 個儲存格。',
  over: '超過試算表上限 {{cells}} 個儲存格，執行時會拒絕寫入，請減少資料。',
  largest: '最大的工作表為「{{title}}」，共 {{cells}} 個儲存格。',
  savings: '可釋出空間的方式',
  saving: {
    no_zeros: '不補 0：{{cells}} 個儲存格',
    half_range: '日期區間減半：約 {{cells}} 個儲存格',
    trim_columns_other: '刪除「{{title}}」未使用的 {{count}} 欄：約 {{cells}} 個儲存格',
    trim_rows_other: '刪除「{{title}}」結尾的 {{count}} 個空白列：{{cells}} 個儲存格',
  },
}
