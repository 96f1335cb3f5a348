import type { public_accounts as english } from '#web/i18n/en/public-accounts.ts'
import type { TextsLike } from '#web/i18n/texts.ts'

export const public_accounts: TextsLike<typeof english> = {
  title: '公用帳號',
  detail: 'Sheetcast 用來取得各平台資料的公用帳號，登入資料儲存時即加密，之後不會再顯示。',
  search: '以名稱或平台搜尋',
  actions_of: '{{name}} 的操作',
  column: {
    name: '公用帳號',
    test: '最近測試',
    fields: '已填欄位',
    expires: '到期',
    accounts: '帳戶數',
    menu: '操作',
  },
  empty: {
    title: '尚未連接任何平台',
    detail: '以貴公司在平台上的帳號連接後，系統會自動匯入其廣告帳戶，即可用於製作報表。',
    search_title: '找不到符合的公用帳號',
    search_clear: '清除搜尋',
  },
  action: {
    test: '測試連線',
    import: '匯入帳戶',
    replace: '更換登入資料',
    rename: '重新命名',
    delete: '刪除',
  },
  ask_failed: '{{name}}：請求失敗。',
  pending: { test: '測試中…', import: '帳戶匯入中…' },
  test: {
    seen_other: '至少可見 {{count}} 個帳戶',
    never: '尚未測試',
    ok: '已連線',
    later: '無回應',
    failed: '遭拒',
  },
  import: {
    done: '{{name}}：已匯入 {{accounts}} 個帳戶，其中 {{added}} 個為新帳戶。',
  },
  expires: { unknown: '–', over: '已到期' },
  connect: { title: '連接平台', submit: '連接' },
  form: {
    platform: '平台',
    platform_choose: '請選擇平台',
    name: '名稱',
    name_hint: '在此顯示的名稱，例如此帳號屬於誰。',
    way: '登入方式',
    long_hint: '請貼上檔案的完整內容。',
    expires: '到期日',
    expires_hint: '若平台有提供，請填寫；清單會顯示剩餘時間。',
  },
  replace: {
    title: '更換「{{name}}」的登入資料',
    submit: '更換',
    done: '已更換 {{name}} 的登入資料。',
  },
  rename: { title: '重新命名', submit: '儲存名稱' },
  delete: {
    title: '要刪除「{{name}}」嗎？',
    detail_unused: '沒有帳戶使用此公用帳號。刪除後無法復原。',
    detail_other:
      '{{count}} 個帳戶將失去連線，以其他公用帳號重新匯入前，報表不會包含這些帳戶的資料。刪除後無法復原。',
    done: '已刪除 {{name}}。',
  },
}
