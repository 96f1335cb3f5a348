import type { Text } from './language.ts'

/** What a run that succeeded should still be read with: a closed list, shown on the run's page. */
export const runNotes = {
  // Written by the spreadsheet writer.
  merged_cells: note('Merged cells in the target were left as they are.', '目標範圍內的合併儲存格維持原狀。'),
  old_table_changed: note(
    'The last table had been changed by hand; what is left of it was not cleared.',
    '上次的表格曾被手動修改，其殘留內容未清除。',
  ),
  kept_previous: note(
    'This channel failed: its cells are those of the last table.',
    '此管道失敗，儲存格保留上次表格的內容。',
  ),
  // Said by the platforms.
  sampled: note('The platform worked the numbers out from a sample.', '平台以抽樣資料計算此數據。'),
  thresholded: note(
    'The platform withheld rows with few people to protect them.',
    '平台為保護個人隱私而隱藏了人數過少的資料列。',
  ),
  other_row: note(
    'The platform has put rare values together as "(other)".',
    '平台已將少見的值合併為「(other)」。',
  ),
  truncated: note(
    'The platform has left rows out of a table that is too long.',
    '資料列過多，平台已省略部分資料。',
  ),
  metrics_restricted: note(
    'The shared login may not see all metrics: some are 0 although they are not.',
    '共用登入無權檢視部分指標，這些指標會顯示為 0。',
  ),
  not_final: note('The platform still corrects the most recent days.', '平台仍會修正最近幾天的數據。'),
  metrics_missing: note(
    'The platform has left metrics out; their cells are empty.',
    '平台未提供部分指標，這些儲存格留空。',
  ),
  devices_next_day: note(
    'The platform refreshes numbers by device once a day: the last days are not complete yet.',
    '平台每日更新一次裝置數據，最近的日期尚不完整。',
  ),
  no_performance_max: note(
    'Performance Max campaigns have no ad groups and are not in this table.',
    '最高成效廣告活動沒有廣告群組，因此不在此表格中。',
  ),
  keywords_only: note(
    'Only traffic of keywords is in this table; automatically matched traffic is not.',
    '此表格僅包含關鍵字流量，不含自動比對的流量。',
  ),
  counted_late: note(
    'The platform counts people and devices up to 16 hours late: the most recent days are too low or missing.',
    '平台統計人數與裝置最多延遲 16 小時，最近幾天的數據可能偏低或缺漏。',
  ),
  longer_than_a_year: note(
    'The platform counts people over a year at most: reach and the like are empty for a longer range.',
    '平台最多只統計一年內的人數，日期範圍超過一年時，觸及人數等指標留空。',
  ),
  partial_answer: note(
    'The platform says that its answer may not be complete.',
    '平台表示其回應可能不完整。',
  ),
  no_reach: note(
    'The platform tells reach for single days since the start of last month, last week and last month only; other cells are empty.',
    '平台僅提供上個月 1 日起的每日、上週與上個月的觸及人數，其餘儲存格留空。',
  ),
  from_archive: note('The numbers are from an imported archive.', '數據來自匯入的封存資料。'),
  partly_archived: note(
    'The archive does not reach over the whole range; days outside it are missing.',
    '封存資料未涵蓋整個日期範圍，範圍外的日期沒有數據。',
  ),
  several_time_zones: note(
    "The accounts are in several time zones: a day is each account's own day.",
    '帳戶位於不同時區，日期以各帳戶當地時間為準。',
  ),
} as const satisfies Record<string, Text>

export type NoteCode = keyof typeof runNotes

function note(en: string, zh: string): Text {
  return { en, 'zh-TW': zh }
}
