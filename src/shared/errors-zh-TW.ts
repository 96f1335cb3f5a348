import type { ErrorTexts } from './error-texts.ts'
import type { errorsEn } from './errors-en.ts'

/** What every error says in Traditional Chinese; a missing text does not compile. */
export const errorsZhTW: ErrorTexts & { internal: Record<keyof typeof errorsEn.internal, string> } = {
  external: {
    // A request that cannot be served.
    invalid: '部分欄位的內容不正確。',
    has_subfolders: '要移動的資料夾不可包含其他資料夾。',
    report_has_gaps: '報表尚未設定完成，無法執行。',
    unauthenticated: '請先登入。',
    forbidden: '您的權限無法執行此操作。',
    not_found: '找不到此項目。',
    conflict: '此項目已被其他人更新。',
    payload_too_large: '傳送的內容過大。',
    unsupported_media_type: '不支援此內容格式。',
    rate_limited: '嘗試次數過多，請稍後再試。',
    overloaded: '系統忙碌中，請稍後再試。',

    // What is wrong with one field of a request.
    field_required: '請填寫此欄位。',
    field_invalid: '此內容不符合規定。',
    field_too_long: '內容過長。',
    field_too_many: '數量超過上限。',
    field_unknown: '沒有此欄位。',
    field_not_available: '您無法使用此項目。',
    folder_name: '資料夾名稱不可為空或重複。',
    folder_layer: '資料夾最多兩層。',
    folder_mode: '請選擇保留或刪除資料夾內的項目。',
    name_taken: '此名稱已被使用。',
    username_taken: '此帳號已被使用。',
    password_too_short: '密碼至少需要 12 個字元。',
    password_too_common: '此密碼過於常見，容易被猜到。',
    password_wrong: '目前的密碼不正確。',
    link_expired: '此連結已使用過或已過期，請重新索取。',

    // The place that a report writes to.
    start_cell_not_set: '請輸入起始儲存格。',
    start_cell_format: '請輸入正確的儲存格格式。',
    page_not_set: '請選擇工作表。',
    sheet_name_colon: '工作表名稱含有半形冒號，請重新命名工作表並重設權限。',
    sheet_name_mismatch: '工作表已改名或刪除，請按權限設定按鈕重新選擇。',
    spreadsheet_not_set: '請輸入試算表網址。',
    not_a_spreadsheet: '這不是 Google 試算表的網址。Office 檔案請先另存為 Google 試算表。',
    spreadsheet_not_shared: '試算表尚未與系統使用者共用。',
    spreadsheet_not_editor: '系統使用者僅有檢視權限，請將其設為編輯者。',
    proof_required: '請確認此試算表屬於您：將驗證碼輸入任一空白儲存格後再次檢查。',
    protected_range: '目標範圍受到保護，請擁有者將系統使用者加入保護範圍的編輯名單。',
    named_range: '已命名範圍造成寫入失敗，請刪除受影響的已命名範圍後重新執行。',
    cell_limit: '試算表將超過一千萬個儲存格，請減少資料量：不要補 0，或縮短日期範圍。',
    cell_too_long: '有文字超過 50,000 個字元，儲存格無法容納。',
    target_overlap: '目標範圍與另一份報表的表格重疊。',

    // What the platforms gave.
    channels_not_set: '請新增管道。',
    channel_no_data: '沒有資料。通常是尚未授權，或篩選條件、日期設定有誤，請聯絡您的服務專員。',
    account_access_lost: '已無法使用此帳戶，請聯絡您的服務專員。',
    credential_expired: '平台連線已過期，請聯絡您的服務專員。',
    credential_missing: '平台尚未連線，請聯絡您的服務專員。',
    credential_unreadable: '平台連線發生問題，請聯絡您的服務專員。',
    channel_retired: '此平台已由原廠停止服務。',
    combination_not_allowed: '平台無法提供此維度、指標與篩選條件的組合。',
    history_limit: '日期範圍早於可查詢的最早日期。',
    mixed_currency: '帳戶幣別不同，請加入帳戶名稱或幣別作為維度。',
    rate_missing: '缺少匯率。',
    too_large: '資料量超過平台上限，請縮短日期範圍或減少維度。',
    quota_exhausted: '目前配額已用盡，稍後將自動繼續。',
    platform_unavailable: '平台暫時無法使用。',
    platform_timeout: '平台逾時未回應。',
    platform_error: '平台回應的內容無法解讀。',
    spreadsheet_unavailable: '試算表服務暫時無法使用。',

    // How a run ended.
    run_cancelled: '執行已取消。',
    run_expired: '執行未能於 6 小時內完成。',
    internal_error: '發生錯誤，請聯絡 PM。',
  },
  internal: {
    channel_no_data: '沒有資料。通常是尚未授權（請參考授權說明），或篩選條件、日期設定有誤。',
    account_access_lost: '已無法使用此帳戶，請參考授權說明重新授權。',
    credential_expired: '平台的共用登入已過期，須由超級使用者重新連線。',
    credential_missing: '平台尚未設定共用登入，須由超級使用者連線。',
    credential_unreadable: '缺少解開平台共用登入的金鑰，須由超級使用者重新輸入登入資料，或還原金鑰。',
  },
}
