import type { preview as english } from '#web/i18n/en/preview.ts'
import type { TextsLike } from '#web/i18n/texts.ts'

export const preview: TextsLike<typeof english> = {
  title: '預覽',
  refresh: '重新整理',
  region: '前幾列資料預覽',
  caption: '表格的前 {{rows}} 列，共 {{columns}} 欄',
  blocks: '下方表格未包含的管道',
  updated: '更新時間：',
  updated_now: '剛剛更新',
  from_run: '上次執行的資料：',
  updating: '更新中…',
  asking: '正在從平台載入資料…',
  all_rows_other: '共 {{count}} 列',
  first_rows_other: '前 {{count}} 列',
  first_of: '前 {{shown}} 列，共 {{rows}} 列',
  first_of_about: '前 {{shown}} 列，約 {{rows}} 列',
  more_columns_other: '另有 {{count}} 欄未顯示於此。',
  no_rows: '沒有資料列。',
  range_in_future: '日期區間尚未開始，目前沒有資料。',
  too_many: '補 0 後的表格過長，無法預覽；執行報表時會寫入完整表格。',
  refused: '依目前設定無法產生表格。',
  failed: '無法產生預覽。',
  block: {
    ok: '資料列顯示於下方。',
    unset: '選擇帳戶與指標後即可查看數據。',
    nothing_yet: '預覽僅涵蓋最前面幾天，這幾天沒有資料列；執行報表時會涵蓋整個日期區間。',
    from_run: '此管道所需時間過長，無法即時預覽，目前顯示上次執行的數據。',
    later: '此管道所需時間過長，無法即時預覽，請執行報表以查看數據。',
  },
  empty: {
    title: '表格的前幾列會顯示在這裡。',
    channels: '新增管道',
    accounts: '選擇帳戶',
    metrics: '選擇指標',
    dates: '選擇日期',
  },
}
