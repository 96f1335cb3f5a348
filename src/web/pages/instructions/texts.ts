import type { AgencyField } from '#shared/api/instructions.ts'
import type { Language, Text } from '#shared/language.ts'

/** When the steps were last compared with the platforms. */
export const AS_OF = '2026-11-26'

/** Every other text of the page, which is printed in the language of the client and not of the reader. */
const texts = {
  title: text('Instructions', '授權說明'),
  detail: text(
    'How a client authorises the agency, platform by platform. No passwords are shared.',
    '客戶如何在各平台授權代理商，全程不需提供密碼。',
  ),
  as_of: text('As of {{day}}', '更新日期：{{day}}'),
  print: text('Print', '列印'),
  language: text('Language', '語言'),
  contents: text('Contents', '目錄'),
  who: text('Who', '由誰操作'),
  steps: text('Steps', '步驟'),
  values: text('Values to copy', '需要的資料'),
  send_back: text('Send to the agency', '請回傳給代理商'),
  hints: text('If it does not work', '無法完成時'),
  agency: text('At the agency', '代理商的後續作業'),
  agency_import: text(
    'Import the accounts: Public accounts, the menu of the login, Import accounts. Then assign them to the advertiser. Only superusers can; ask one of them.',
    '匯入帳戶：於「公用帳號」開啟該登入資料的選單，選擇「匯入帳戶」，再將帳戶指派給廣告主。僅超級管理員可操作，請洽超級管理員。',
  ),
  not_set: text('Not set yet. Ask a superuser to set it on this page.', '尚未設定，請超級管理員在此頁設定。'),
  not_set_superuser: text(
    'Not set yet. Choose “Values of the agency” at the top.',
    '尚未設定，請選擇上方的「代理商資料」。',
  ),
  edit: text('Values of the agency', '代理商資料'),
  edit_hint: text(
    'What clients enter at the platforms. Left empty: the value of the shared login, where it has one.',
    '客戶在平台上輸入的資料。留空時使用公用帳號中的資料（若有）。',
  ),
  save: text('Save', '儲存'),
  saved: text('Values of the agency saved.', '已儲存代理商資料。'),
  check: text('Check now', '立即檢查'),
  check_title: text('Check an account', '檢查帳戶'),
  check_hint: text(
    'Reads the account at its platform with the agency’s login.',
    '以代理商的登入資料讀取平台上的帳戶。',
  ),
  check_account: text('Account', '帳戶'),
  check_choose: text('Choose an account', '選擇帳戶'),
  check_none: text(
    'No account of this platform is assigned to your advertisers yet.',
    '您的廣告主尚未有此平台的帳戶。',
  ),
  check_ok: text('The agency can read {{name}}.', '代理商可以讀取「{{name}}」。'),
  check_disabled: text(
    'The agency can read {{name}}, but the platform has closed the account.',
    '代理商可以讀取「{{name}}」，但平台已停用此帳戶。',
  ),
} as const satisfies Record<string, Text>

export const fieldNames: Record<AgencyField, Text> = {
  meta_business_id: text('Meta: business ID', 'Meta：企業編號'),
  google_manager_id: text(
    'Google Ads: manager account (123-456-7890)',
    'Google Ads：管理員帳戶 ID（123-456-7890）',
  ),
  google_address: text(
    'Google Ads and GA4: address to add, where the login is no service account',
    'Google Ads 與 GA4：要新增的電子郵件地址（登入資料不是服務帳戶時）',
  ),
  yahoo_manager_id: text(
    'Yahoo! JAPAN: manager account or Business ID',
    'Yahoo! JAPAN：管理帳戶或 Business ID',
  ),
  tiktok_business_center_id: text('TikTok: Business Center ID', 'TikTok：商務中心 ID'),
  line_group_id: text('LINE: group ID (G…)', 'LINE：群組 ID（G…）'),
}

type Say = (key: keyof typeof texts, values?: Record<string, string>) => string

/** The texts of the page in a language. */
export const sayIn =
  (language: Language): Say =>
  (key, values = {}) =>
    texts[key][language].replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '')

function text(en: string, zh: string): Text {
  return { en, 'zh-TW': zh }
}
