import type { publishers as english } from '#web/i18n/en/publishers.ts'
import type { TextsLike } from '#web/i18n/texts.ts'

export const publishers: TextsLike<typeof english> = {
  title: '媒體',
  detail: '投放廣告的媒體，以及各媒體的聯絡人。',
  search: '搜尋媒體',
  field: {
    name: '名稱',
    type: '類型',
    channel: '管道',
    website: '網站',
    contacts: '聯絡人',
    note: '備註',
  },
  hint: { channel: '管道是廣告數據的來源；報表中沒有此媒體的數據時可不選。' },
  filter: { type_any: '所有類型', channel_any: '所有管道' },
  type: {
    social: '社群媒體',
    search: '搜尋',
    display: '多媒體',
    video: '影音',
    messaging: '通訊軟體',
    news: '新聞',
    influencer: '網紅',
    affiliate: '聯盟行銷',
    offline: '線下媒體',
    other: '其他',
  },
  no_channel: '無',
  import: '匯入媒體',
  create: { title: '新增媒體', submit: '新增', done: '已新增 {{name}}' },
  edit: { title: '媒體', submit: '儲存', done: '已儲存 {{name}}' },
  delete: '刪除此媒體',
  empty: '尚無媒體',
  empty_detail: '新增合作的媒體與聯絡人，即可在連結中選用。',
  nothing_found: '沒有符合條件的媒體',
  clear: '清除篩選',
}
