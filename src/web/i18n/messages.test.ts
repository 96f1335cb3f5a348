import { describe, expect, it } from 'vitest'
import { errorText } from '#shared/error-texts.ts'
import { errorsEn } from '#shared/errors-en.ts'
import { errorsZhTW } from '#shared/errors-zh-TW.ts'
import { isErrorCode } from '#shared/errors.ts'
import { failureActions } from '#shared/failure-actions.ts'
import { translate, type Texts } from './translate.ts'
import { en } from './en.ts'
import { zhTW } from './zh-TW.ts'

/**
 * The messages of the specification, sentence by sentence: where each is in the texts, and the words that it
 * must have in each language. A path is a key of a page (`reports.folders.renamed`), a code of errors.ts, or
 * an action of failure-actions.ts.
 */
const catalogue: [sentence: string, place: string, english: RegExp, chinese: RegExp][] = [
  [
    'folder name must not be empty or duplicated',
    'reports.folders.problem_name',
    /folder name must not be empty or duplicated/i,
    /資料夾名稱不可為空或重複/,
  ],
  [
    'the same, to programs',
    'folder_name',
    /folder name must not be empty or duplicated/i,
    /資料夾名稱不可為空或重複/,
  ],
  [
    'folder layers are limited to two',
    'reports.folders.problem_layer',
    /layers are limited to two/i,
    /最多兩層/,
  ],
  ['the same, to programs', 'folder_layer', /layers are limited to two/i, /最多兩層/],
  [
    'an error occurred, contact the responsible person',
    'reports.folders.problem',
    /error occurred.*contact the responsible person/i,
    /發生錯誤，請聯絡負責人員/,
  ],
  [
    'the folder to move must not contain any folder',
    'reports.folders.problem_has_folders',
    /must not contain any folder/i,
    /不可包含其他資料夾/,
  ],
  ['the same, to programs', 'has_subfolders', /must not contain any folder/i, /不可包含其他資料夾/],
  [
    'moving this folder would exceed the two-layer limit',
    'reports.folders.problem_too_deep',
    /exceed the two-layer limit/i,
    /超過兩層的限制/,
  ],
  [
    'unknown error, contact developers',
    'reports.folders.problem_unknown',
    /unknown error.*contact the developers/i,
    /未知的錯誤，請聯絡開發人員/,
  ],
  [
    'folder name duplicated',
    'reports.folders.problem_duplicate',
    /folder name is duplicated/i,
    /資料夾名稱重複/,
  ],
  ['folder deleted', 'reports.folders.deleted', /folder deleted/i, /資料夾已刪除/],
  ['folder renamed', 'reports.folders.renamed', /folder renamed/i, /資料夾已重新命名/],
  [
    'something went wrong: contact the PM',
    'internal_error',
    /something went wrong.*contact the PM/i,
    /發生錯誤，請聯絡 PM/,
  ],
  [
    'the same, about a report',
    'editor.failed',
    /something went wrong.*contact the PM/i,
    /發生錯誤，請聯絡 PM/,
  ],
  ['the report has been saved', 'editor.saved', /the report has been saved/i, /報表已儲存/],
  ['the report has been executed', 'runs.panel.all_done', /been executed/i, /報表已執行/],
  [
    'settings not saved, sure you want to exit?',
    'editor.leave.detail',
    /not saved.*sure you want to exit\?/i,
    /尚未儲存，確定要離開嗎？/,
  ],
  [
    'spreadsheet exceeds 10 million cells: reduce data',
    'cell_limit',
    /10 million cells.*do not fill with 0.*shorten/i,
    /一千萬個儲存格.*不要補 0.*縮短/,
  ],
  [
    'named range problem: delete affected named ranges and rerun',
    'named_range',
    /delete the affected named ranges and run.*again/i,
    /刪除受影響的已命名範圍後重新執行/,
  ],
  [
    'some or all reports lacked output',
    'runs.panel.some_failed',
    /some or all reports lacked output/i,
    /部分或所有報表沒有輸出結果/,
  ],
  [
    'channels with no data: filters or dates may be wrong',
    'channel_no_data',
    /permissions.*filters or dates/i,
    /授權.*篩選條件、日期/,
  ],
  ['use issue reporting', 'report_issue', /report the issue/i, /回報問題/],
  [
    'sheet not shared with the system user',
    'spreadsheet_not_shared',
    /not shared with the system user/i,
    /尚未與系統帳號共用/,
  ],
  ['user not Editor', 'spreadsheet_not_editor', /make it an Editor/, /設為編輯者/],
  [
    'sheet name mismatch, or reset via the permission settings button',
    'sheet_name_mismatch',
    /permission settings button/i,
    /權限設定按鈕/,
  ],
  [
    'sheet name contains a colon',
    'sheet_name_colon',
    /half-width colon.*rename.*permissions again/i,
    /半形冒號.*重新命名.*重設權限/,
  ],
  [
    'please enter the starting cell',
    'start_cell_not_set',
    /please enter the starting cell/i,
    /請輸入起始儲存格/,
  ],
  [
    'please enter the correct cell format',
    'start_cell_format',
    /please enter the correct cell format/i,
    /請輸入正確的儲存格格式/,
  ],
  ['starting cell not set', 'reports.gap.start_cell_not_set', /starting cell not set/i, /起始儲存格未設定/],
  ['page not set', 'reports.gap.page_not_set', /page not set/i, /工作表未設定/],
  ['permissions not set', 'reports.gap.permission_not_set', /permissions not set/i, /權限未設定/],
  ['deleting a folder deletes its contents', 'reports.folders.delete_detail', /deleted with it/i, /一併刪除/],
  ['a checkbox offers keeping the items', 'reports.folders.keep_items', /keep the items/i, /保留/],
  [
    'select two dates after a given date',
    'fields.date_range.hint_after',
    /select two dates after/i,
    /之後的兩個日期/,
  ],
  ['the title of a notice: info', 'ui.severity.info', /^info$/i, /^資訊$/],
  ['the title of a notice: success', 'ui.severity.success', /^success$/i, /^成功$/],
  ['the title of a notice: warning', 'ui.severity.warning', /^warning$/i, /^警告$/],
  ['the title of a notice: error', 'ui.severity.error', /^error$/i, /^錯誤$/],
]

describe.each(catalogue)('"%s"', (_, path, english, chinese) => {
  it(`is said in both languages (${path})`, () => {
    expect(textAt(path, 'en', 'external')).toMatch(english)
    expect(textAt(path, 'zh-TW', 'external')).toMatch(chinese)
  })
})

describe('a channel without data or access', () => {
  it.each(['channel_no_data', 'account_access_lost', 'credential_expired', 'credential_missing'])(
    '%s sends clients to their service specialist, and the agency’s own people to what they can do',
    code => {
      expect(textAt(code, 'en', 'external')).toMatch(/contact your service specialist/)
      expect(textAt(code, 'zh-TW', 'external')).toMatch(/聯絡您的服務專員/)
      expect(textAt(code, 'en', 'internal')).toMatch(/see the instructions|superuser must/i)
      expect(textAt(code, 'zh-TW', 'internal')).toMatch(/請參考授權說明|須由超級管理員/)
    },
  )

  it('is distinguished in the editor, before any account is chosen', () => {
    for (const language of ['en', 'zh-TW'] as const)
      expect(textAt('editor.block.accounts_external', language, 'external')).not.toBe(
        textAt('editor.block.accounts_internal', language, 'internal'),
      )
  })
})

function textAt(path: string, language: 'en' | 'zh-TW', audience: 'internal' | 'external'): string {
  if (isErrorCode(path)) return errorText(language === 'en' ? errorsEn : errorsZhTW, path, audience)
  if (path === 'report_issue') return failureActions[path][language]
  const pages: Texts = language === 'en' ? en : zhTW
  return translate(pages, path, { language })
}
