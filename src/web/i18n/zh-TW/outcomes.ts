import type { outcomes as english } from '#web/i18n/en/outcomes.ts'
import type { TextsLike } from '#web/i18n/texts.ts'

export const outcomes: TextsLike<typeof english> = {
  note: {
    merged_cells: '目標範圍內的合併儲存格維持原狀。',
    old_table_changed: '上次的表格曾被手動修改，因此其餘儲存格未清除。',
    kept_previous: '此管道失敗，儲存格保留上次表格的內容。',
    sampled: '平台以抽樣資料計算此數據。',
    thresholded: '平台為保護個人隱私而隱藏了人數過少的資料列。',
    other_row: '平台已將少見的值合併為「(other)」。',
    truncated: '資料列過多，平台已省略部分資料。',
    metrics_restricted: '公用帳號無權檢視部分指標，這些指標會顯示為 0。',
    not_final: '平台仍會修正最近幾天的數據。',
    metrics_missing: '平台未提供部分指標，這些儲存格留空。',
    devices_next_day: '平台每日更新一次裝置數據，最近的日期尚不完整。',
    no_performance_max: '最高成效廣告活動沒有廣告群組，因此不在此表格中。',
    keywords_only: '此表格僅包含關鍵字流量，不含自動比對的流量。',
    counted_late: '平台統計人數與裝置最多延遲 16 小時，最近幾天的數據可能偏低或缺漏。',
    longer_than_a_year: '平台最多只統計一年內的人數，日期區間超過一年時，觸及人數等指標留空。',
    partial_answer: '平台表示其回應可能不完整。',
    no_reach: '平台僅提供上個月 1 日起的每日、上週與上個月的觸及人數，其餘儲存格留空。',
    from_archive: '數據來自匯入的封存資料。',
    partly_archived: '封存資料未涵蓋整個日期區間，範圍外的日期沒有數據。',
    several_time_zones: '帳戶位於不同時區，日期以各帳戶當地時間為準。',
  },
  empty: {
    credential: '平台連線已中斷，須由超級管理員重新連線。',
    access: '平台已不允許讀取此帳戶。',
    disabled: '此帳戶已被平台停用或關閉。',
    history: '日期早於平台保留資料的期間。',
    no_delivery: '此帳戶在這段期間內沒有任何投放。',
    account_filter: '此篩選條件排除了所有帳戶。',
    filter: '此篩選條件排除了所有資料列。',
    filters_together: '個別篩選條件皆有符合的資料列，但沒有資料列同時符合全部條件。',
    level: '此帳戶有投放，但平台未提供此層級的資料。',
    unknown: '無法判斷原因。',
  },
}
