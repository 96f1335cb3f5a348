import type { palette as english } from '#web/i18n/en/palette.ts'
import type { TextsLike } from '#web/i18n/texts.ts'

export const palette: TextsLike<typeof english> = {
  title: '搜尋',
  placeholder: '搜尋報表、資料夾與頁面',
  placeholder_agency: '搜尋報表、廣告主、資料夾與頁面',
  results: '搜尋結果',
  kind: {
    recent: '最近的報表',
    pages: '頁面',
    actions: '動作',
    folders: '資料夾',
    reports: '報表',
    advertisers: '廣告主',
  },
  new_report: '新增報表',
  report_issue: '回報問題',
  to_dark: '切換為深色主題',
  to_light: '切換為淺色主題',
  to_chinese: '切換為繁體中文',
  to_english: 'Switch to English',
  sign_out: '登出',
  in_folder: '位於 {{name}}',
  shared_by: '由 {{name}} 共用',
  searching: '搜尋中…',
  failed: '部分內容無法搜尋，頁面與動作仍可使用。',
  nothing: '找不到符合「{{text}}」的結果。',
  hint: '↑ ↓ 選取 · Enter 開啟 · Esc 關閉',
  found_other: '{{count}} 筆結果',
}
