// @vitest-environment happy-dom
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Language } from '#shared/language.ts'
import { runs as en } from '#web/i18n/en/runs.ts'
import { loadErrorTexts, startI18n, switchLanguage } from '#web/i18n/i18n.ts'
import { translate, type Translate } from '#web/i18n/translate.ts'
import { runs as zhTW } from '#web/i18n/zh-TW/runs.ts'
import { detailLines } from './detail-lines.ts'

type Detail = Parameters<typeof detailLines>[0]

// The codes within a detail are said in both languages, each of which loads when it is spoken.
beforeAll(async () => {
  await startI18n()
  await loadErrorTexts()
  await switchLanguage('zh-TW')
})
afterAll(() => switchLanguage('en'))

function linesIn(language: Language, detail: Detail, audience: 'internal' | 'external' = 'internal') {
  const texts = language === 'en' ? en : zhTW
  const t: Translate<typeof en> = (key, ...values) =>
    translate(texts, key, { values: values[0] ?? {}, language })
  return detailLines(detail, { t, language, audience })
}
const inBoth = (detail: Detail) => [linesIn('en', detail), linesIn('zh-TW', detail)]

describe('the details of a failure', () => {
  it.each<[string, Detail, string, string]>([
    [
      'a full spreadsheet',
      { used: 9_990_000, needed: 10_020_000, limit: 10_000_000, staging: 3000 },
      'The spreadsheet has 9,990,000 cells; with this table it would have 10,020,000. The limit is 10,000,000.',
      '試算表現有 9,990,000 個儲存格，寫入此表格後共 10,020,000 個，上限為 10,000,000 個。',
    ],
    [
      'a table that is too wide',
      { columns: 18_300, limit: 18_278 },
      'The table would reach column 18,300. The limit is 18,278.',
      '表格將延伸至第 18,300 欄，上限為 18,278 欄。',
    ],
    [
      'a table that is too large',
      { cells: 12_000_000 },
      'The table would have 12,000,000 cells.',
      '表格共 12,000,000 個儲存格。',
    ],
    ['a text that is too long', { column: 'Campaign' }, 'Column: Campaign', '欄位：Campaign'],
    [
      'named ranges in the way',
      { names: ['Budget', 'Goals'] },
      'Named ranges: Budget, Goals',
      '已命名範圍：Budget、Goals',
    ],
    ['a protected range', { range: 'A1:C9' }, 'Cells: A1:C9', '儲存格：A1:C9'],
    [
      'a protected range with a description',
      { range: 'A1:C9', description: 'Do not touch' },
      'Cells: A1:C9 · Do not touch',
      '儲存格：A1:C9 · Do not touch',
    ],
    ['a tab whose name cannot be used', { sheet_name: 'a:b' }, 'Tab: a:b', '工作表：a:b'],
    [
      'a tab that was renamed',
      { new_name: 'May' },
      'The tab is called “May” now.',
      '此工作表現已更名為「May」。',
    ],
    [
      'a file that is no spreadsheet',
      { mime_type: 'application/pdf' },
      'File type: application/pdf',
      '檔案類型：application/pdf',
    ],
    ['a file in the trash', { trashed: true }, 'The file is in the trash.', '檔案位於垃圾桶。'],
    ['a locked file', { locked: true }, 'The file is locked against changes.', '檔案已鎖定，無法變更。'],
    ['one account', { accounts: [7] }, '1 account is affected.', '受影響的帳戶：1 個。'],
    ['several accounts', { accounts: [7, 8] }, '2 accounts are affected.', '受影響的帳戶：2 個。'],
    [
      'an owner who has left',
      { owner: 7 },
      'The owner of the report has left, or their account is closed.',
      '報表擁有者已離職，或其帳號已關閉。',
    ],
    [
      'dates to come',
      { reason: 'range_in_future' },
      'The date range is in the future.',
      '日期區間尚未開始。',
    ],
    [
      'a process that crashed',
      { lost_leases: 1 },
      'The process that executed it stopped unexpectedly 1 time.',
      '執行此報表的程序意外停止 1 次。',
    ],
    [
      'a process that crashed again and again',
      { lost_leases: 3 },
      'The process that executed it stopped unexpectedly 3 times.',
      '執行此報表的程序意外停止 3 次。',
    ],
    [
      'an unexpected response',
      { status: 418 },
      'The spreadsheet service responded with status 418.',
      '試算表服務的回應狀態為 418。',
    ],
    [
      'what support of the platform asks for',
      { platform_request_id: 'AbC1' },
      'Request ID of the platform: AbC1',
      '平台的請求編號：AbC1',
    ],
  ])('of %s are a sentence in both languages', (_, detail, english, chinese) => {
    expect(inBoth(detail)).toEqual([[english], [chinese]])
  })

  it('name the other report and its cells', () => {
    expect(inBoth({ report_id: 7, name: 'Other', range: 'B2:D8' })).toEqual([
      ['Report: Other', 'Cells: B2:D8'],
      ['報表：Other', '儲存格：B2:D8'],
    ])
    expect(linesIn('en', { report_id: 7, name: null, range: 'B2:D8' })).toEqual(['Cells: B2:D8'])
  })

  it('of a run that expired say its last problem to the one who reads it', () => {
    const detail = { last: 'quota_exhausted' }
    const [english, chinese] = inBoth(detail)
    expect(english).toEqual([expect.stringMatching(/^The last problem was: [A-Z]/)])
    expect(chinese).toEqual([expect.stringMatching(/^最後一次遇到的問題：\p{Script=Han}/u)])
    const external = linesIn('en', detail, 'external')
    expect(external).toEqual([expect.stringMatching(/^The last problem was: [A-Z]/)])
    expect(JSON.stringify([english, chinese, external])).not.toContain('quota_exhausted')
  })

  it('say nothing where there is nothing to say', () => {
    for (const detail of [
      null,
      {},
      { names: [], accounts: [], range: '', name: null, trashed: false, locked: false, description: null },
    ])
      expect(inBoth(detail)).toEqual([[], []])
  })

  it('are never shown raw: neither unknown keys, nor known ones with something unknown in them', () => {
    for (const detail of [
      { report_id: 7, staging: 3000, retry_after_ms: 900, why: 'stale_plan', platform_message: 'x' },
      { reason: 'the table is not stored', last: 'a_code_of_tomorrow' },
      {
        needed: '5',
        columns: { a: 1 },
        cells: null,
        column: 3,
        owner: 'somebody',
        accounts: 'a',
        names: 'b',
      },
      { lost_leases: '3', status: 'gone', range: { from: 1 }, sheet_name: 5, trashed: 'yes', locked: 1 },
    ])
      expect(inBoth(detail)).toEqual([[], []])
  })
})
