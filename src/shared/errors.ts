import type { Text } from './language.ts'

/**
 * Everything that can go wrong, as one closed list: nothing else may reach a user.
 * `status` is the HTTP status when a request is refused with the code; `retried` says whether a run that meets it tries again by itself;
 * `offer` is what the interface puts beside the text; `internal` is the text for the agency's own people where it differs.
 */
export const errors = {
  // A request that cannot be served.
  invalid: refusal(400, 'Some fields are not valid.', '部分欄位的內容不正確。'),
  has_subfolders: refusal(
    400,
    'The folder to move must not contain any folder.',
    '要移動的資料夾不可包含其他資料夾。',
  ),
  report_has_gaps: refusal(
    400,
    'The report is not completely set up yet, so it cannot run.',
    '報表尚未設定完成，無法執行。',
  ),
  unauthenticated: refusal(401, 'Please sign in.', '請先登入。'),
  forbidden: refusal(403, 'Your role does not allow this.', '您的權限無法執行此操作。'),
  not_found: refusal(404, 'This does not exist.', '找不到此項目。'),
  conflict: refusal(409, 'Somebody else has changed this in the meantime.', '此項目已被其他人更新。'),
  payload_too_large: refusal(413, 'The request is too large.', '傳送的內容過大。'),
  unsupported_media_type: refusal(415, 'This type of content is not accepted.', '不支援此內容格式。'),
  rate_limited: refusal(429, 'Too many attempts. Please wait a moment.', '嘗試次數過多，請稍後再試。'),
  overloaded: refusal(503, 'The service is busy. Please try again in a moment.', '系統忙碌中，請稍後再試。'),

  // What is wrong with one field of a request.
  field_required: field('Please fill this in.', '請填寫此欄位。'),
  field_invalid: field('This value is not accepted.', '此內容不符合規定。'),
  field_too_long: field('This is too long.', '內容過長。'),
  field_too_many: field('There are too many of these.', '數量超過上限。'),
  field_unknown: field('There is no such field.', '沒有此欄位。'),
  field_not_available: field('This is not available to you.', '您無法使用此項目。'),
  folder_name: field('The folder name must not be empty or duplicated.', '資料夾名稱不可為空或重複。'),
  folder_layer: field('Folder layers are limited to two.', '資料夾最多兩層。'),
  folder_mode: field('Say whether the contents are kept or deleted.', '請選擇保留或刪除資料夾內的項目。'),
  name_taken: field('This name is taken.', '此名稱已被使用。'),
  username_taken: field('This account name is taken.', '此帳號已被使用。'),
  password_too_short: field('A password has at least 12 characters.', '密碼至少需要 12 個字元。'),
  password_too_common: field('This password is too easy to guess.', '此密碼過於常見，容易被猜到。'),
  password_wrong: field('The present password is wrong.', '目前的密碼不正確。'),
  link_expired: field(
    'This link has been used or has expired. Please ask for a new one.',
    '此連結已使用過或已過期，請重新索取。',
  ),

  // The place that a report writes to.
  start_cell_not_set: place('Please enter the starting cell.', '請輸入起始儲存格。', 'field'),
  start_cell_format: place('Please enter the correct cell format.', '請輸入正確的儲存格格式。', 'field'),
  page_not_set: place('Please choose a sheet.', '請選擇工作表。', 'permission_settings'),
  sheet_name_colon: place(
    'The sheet name contains a half-width colon. Rename the sheet and set the permissions again.',
    '工作表名稱含有半形冒號，請重新命名工作表並重設權限。',
    'permission_settings',
  ),
  sheet_name_mismatch: place(
    'The sheet was renamed or deleted. Press the permission settings button to choose it again.',
    '工作表已改名或刪除，請按權限設定按鈕重新選擇。',
    'permission_settings',
  ),
  spreadsheet_not_set: place(
    'Please enter the address of the spreadsheet.',
    '請輸入試算表網址。',
    'permission_settings',
  ),
  not_a_spreadsheet: place(
    'This is not the address of a Google spreadsheet. An Office file must be saved as a Google spreadsheet first.',
    '這不是 Google 試算表的網址。Office 檔案請先另存為 Google 試算表。',
    'permission_settings',
  ),
  spreadsheet_not_shared: place(
    'The spreadsheet is not shared with the system user.',
    '試算表尚未與系統使用者共用。',
    'share_spreadsheet',
  ),
  spreadsheet_not_editor: place(
    'The system user can only view the spreadsheet. Please make it an Editor.',
    '系統使用者僅有檢視權限，請將其設為編輯者。',
    'share_spreadsheet',
  ),
  proof_required: place(
    'Please show that this spreadsheet is yours: type the code into any empty cell and check again.',
    '請確認此試算表屬於您：將驗證碼輸入任一空白儲存格後再次檢查。',
    'permission_settings',
  ),
  protected_range: place(
    'A protected range is in the way. Its owner must add the system user to it.',
    '目標範圍受到保護，請擁有者將系統使用者加入保護範圍的編輯名單。',
    'share_spreadsheet',
  ),
  named_range: place(
    'A named range is in the way. Delete the affected named ranges and run the report again.',
    '已命名範圍造成寫入失敗，請刪除受影響的已命名範圍後重新執行。',
    'run_again',
  ),
  cell_limit: place(
    'The spreadsheet would exceed 10 million cells. Reduce the data: do not fill with 0, or shorten the date range.',
    '試算表將超過一千萬個儲存格，請減少資料量：不要補 0，或縮短日期範圍。',
    'fewer_cells',
  ),
  cell_too_long: place(
    'A text has more than 50,000 characters, which a cell cannot hold.',
    '有文字超過 50,000 個字元，儲存格無法容納。',
    'edit_report',
  ),
  target_overlap: place(
    'The table of another report is in the way.',
    '目標範圍與另一份報表的表格重疊。',
    'edit_report',
  ),

  // What the platforms gave.
  channels_not_set: place('Please add a channel.', '請新增管道。', 'edit_report'),
  channel_no_data: {
    ...outcome(
      'There is no data. Usually the permissions are not granted, or the filters or dates do not fit. Please contact your service specialist.',
      '沒有資料。通常是尚未授權，或篩選條件、日期設定有誤，請聯絡您的服務專員。',
      'support',
    ),
    internal: text(
      'There is no data. Usually the permissions are not granted (see the instructions), or the filters or dates do not fit.',
      '沒有資料。通常是尚未授權（請參考授權說明），或篩選條件、日期設定有誤。',
    ),
  },
  account_access_lost: {
    ...outcome(
      'This account can no longer be used. Please contact your service specialist.',
      '已無法使用此帳戶，請聯絡您的服務專員。',
      'support',
    ),
    internal: text(
      'The account can no longer be used. See the instructions on how to authorise it again.',
      '已無法使用此帳戶，請參考授權說明重新授權。',
    ),
  },
  credential_expired: {
    ...outcome(
      'The connection to the platform has expired. Please contact your service specialist.',
      '平台連線已過期，請聯絡您的服務專員。',
      'support',
    ),
    internal: text(
      'The shared login of the platform has expired. A superuser must reconnect it.',
      '平台的共用登入已過期，須由超級使用者重新連線。',
    ),
  },
  credential_missing: {
    ...outcome(
      'The platform is not connected yet. Please contact your service specialist.',
      '平台尚未連線，請聯絡您的服務專員。',
      'support',
    ),
    internal: text(
      'No shared login is set for the platform. A superuser must connect one.',
      '平台尚未設定共用登入，須由超級使用者連線。',
    ),
  },
  credential_unreadable: {
    ...outcome(
      'The connection to the platform is broken. Please contact your service specialist.',
      '平台連線發生問題，請聯絡您的服務專員。',
      'support',
    ),
    internal: text(
      'The key that opens the shared login of the platform is missing. A superuser must enter the login again, or the key must be brought back.',
      '缺少解開平台共用登入的金鑰，須由超級使用者重新輸入登入資料，或還原金鑰。',
    ),
  },
  channel_retired: outcome(
    'This platform has been switched off by its maker.',
    '此平台已由原廠停止服務。',
    'support',
  ),
  combination_not_allowed: outcome(
    'The platform cannot give this combination of dimensions, metrics and filters.',
    '平台無法提供此維度、指標與篩選條件的組合。',
    'edit_report',
  ),
  history_limit: outcome(
    'The date range begins before the earliest day that can be asked for.',
    '日期範圍早於可查詢的最早日期。',
    'support',
  ),
  mixed_currency: outcome(
    'The accounts have different currencies. Add account name or currency as a dimension.',
    '帳戶幣別不同，請加入帳戶名稱或幣別作為維度。',
    'edit_report',
  ),
  rate_missing: outcome('A currency rate is missing.', '缺少匯率。', 'edit_report'),
  too_large: outcome(
    'The platform cannot give this much data. Shorten the date range or remove a dimension.',
    '資料量超過平台上限，請縮短日期範圍或減少維度。',
    'edit_report',
  ),
  quota_exhausted: passing(
    'The quota is used up for now. The run goes on by itself.',
    '目前配額已用盡，稍後將自動繼續。',
  ),
  platform_unavailable: passing('The platform is not available right now.', '平台暫時無法使用。'),
  platform_timeout: passing('The platform did not answer in time.', '平台逾時未回應。'),
  platform_error: passing('The platform gave an answer that cannot be read.', '平台回應的內容無法解讀。'),
  spreadsheet_unavailable: passing(
    'The spreadsheet service is not available right now.',
    '試算表服務暫時無法使用。',
  ),

  // How a run ended.
  run_cancelled: outcome('The run was cancelled.', '執行已取消。', 'run_again'),
  run_expired: outcome('The run could not finish within 6 hours.', '執行未能於 6 小時內完成。', 'run_again'),
  internal_error: {
    status: 500,
    retried: true,
    offer: 'contact_pm',
    text: text('Something went wrong. Please contact the PM.', '發生錯誤，請聯絡 PM。'),
  },
} as const satisfies Record<string, ErrorFacts>

export type ErrorCode = keyof typeof errors

/** What the interface offers beside a message. */
export type Offer =
  | 'none'
  | 'field'
  | 'permission_settings'
  | 'share_spreadsheet'
  | 'run_again'
  | 'fewer_cells'
  | 'edit_report'
  | 'support'
  | 'wait'
  | 'contact_pm'

export interface ErrorFacts {
  status: number
  retried: boolean
  offer: Offer
  text: Text
  internal?: Text
}

/** The facts of a code, widened so that optional ones can be read. */
export const errorFacts = (code: ErrorCode): ErrorFacts => errors[code]

export const isErrorCode = (value: string): value is ErrorCode => Object.hasOwn(errors, value)

function text(en: string, zh: string): Text {
  return { en, 'zh-TW': zh }
}

function refusal(status: number, en: string, zh: string) {
  return { status, retried: false, offer: 'none', text: text(en, zh) } satisfies ErrorFacts
}

function field(en: string, zh: string) {
  return { status: 400, retried: false, offer: 'field', text: text(en, zh) } satisfies ErrorFacts
}

function place(en: string, zh: string, offer: Offer) {
  return { status: 400, retried: false, offer, text: text(en, zh) } satisfies ErrorFacts
}

function outcome(en: string, zh: string, offer: Offer) {
  return { status: 400, retried: false, offer, text: text(en, zh) } satisfies ErrorFacts
}

function passing(en: string, zh: string) {
  return { status: 503, retried: true, offer: 'wait', text: text(en, zh) } satisfies ErrorFacts
}
