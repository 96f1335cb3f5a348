import { connectValues } from './connect-values.ts'
import type { Section } from './section.ts'

/** Web analytics and spreadsheets. */
export const googleSections: readonly Section[] = [
  {
    id: 'ga4',
    title: { en: 'Google Analytics 4', 'zh-TW': 'Google Analytics 4' },
    who: {
      en: 'A person with the role Administrator in the account or the property.',
      'zh-TW': '具備該帳戶或資源「管理員」角色的人員。',
    },
    steps: [
      {
        en: 'Open Google Analytics, choose the property, and then Admin › Property access management. For all properties of an account choose Account access management.',
        'zh-TW':
          '開啟 Google Analytics 並選擇資源，再選「管理」›「資源存取權管理」；若要授權帳戶下的所有資源，請選「帳戶存取權管理」。',
      },
      {
        en: 'Choose + › Add users, and enter the address below. Switch off the notification by e-mail: nobody reads its mail.',
        'zh-TW':
          '選擇「+」›「新增使用者」，輸入下方的電子郵件地址，並取消「以電子郵件通知新使用者」，因為該地址不會有人收信。',
      },
      {
        en: 'Choose the role Viewer. Leave No cost metrics and No revenue metrics off, and add.',
        'zh-TW': '角色選「檢視者」，不要勾選「無費用指標」與「無收益指標」，然後新增。',
      },
    ],
    values: [{ of: 'ga4_addresses', label: { en: 'Address to add', 'zh-TW': '要新增的電子郵件地址' } }],
    agency_values: [
      {
        of: 'ga4_scope',
        label: { en: 'Scope, for a person’s consent instead', 'zh-TW': '改以個人同意授權時的使用範圍' },
      },
      ...connectValues('google'),
    ],
    send_back: {
      en: 'The property ID (digits, at Admin › Property details).',
      'zh-TW': '資源 ID（純數字，位於「管理」›「資源詳細資料」）。',
    },
    hints: [
      {
        en: 'If cost or revenue is 0 in the report, one of the two restrictions is on.',
        'zh-TW': '若報表中的費用或收益為 0，表示勾選了上述其中一項限制。',
      },
      {
        en: 'Universal Analytics was shut down by Google and can no longer be authorised. What was exported before can be imported as an archive.',
        'zh-TW': 'Google 已停止 Universal Analytics，無法再授權；先前匯出的資料可匯入為封存資料。',
      },
    ],
    agency: [],
    channels: ['ga4'],
  },
  {
    id: 'sheets',
    title: { en: 'Google Sheets', 'zh-TW': 'Google 試算表' },
    who: {
      en: 'The owner of the spreadsheet, or a person who can edit and share it.',
      'zh-TW': '試算表的擁有者，或可編輯並分享它的人員。',
    },
    steps: [
      {
        en: 'Open the spreadsheet and choose Share.',
        'zh-TW': '開啟試算表，選擇「共用」。',
      },
      {
        en: 'Paste the address of the system user, choose the role Editor, switch off Notify people, and share.',
        'zh-TW': '貼上系統帳號的地址，角色選「編輯者」，取消「通知邀請對象」，然後共用。',
      },
      {
        en: 'Paste the link of the spreadsheet into the report. It is checked at once. Whoever is not its owner or editor with the e-mail address of their account is asked to type a code into an empty cell.',
        'zh-TW':
          '將試算表連結貼到報表中，系統會立即檢查。若您的帳號電子郵件不是該檔案的擁有者或編輯者，系統會請您在空白儲存格輸入一組代碼。',
      },
    ],
    values: [{ of: 'system_users', label: { en: 'Address of the system user', 'zh-TW': '系統帳號的地址' } }],
    agency_values: [],
    send_back: { en: 'The link of the spreadsheet.', 'zh-TW': '試算表的連結。' },
    hints: [
      {
        en: 'If Google refuses the address, the organisation does not allow sharing outside of it. Its administrator can allow the domain of the address.',
        'zh-TW': '若 Google 不接受此地址，表示貴公司禁止與外部共用，請管理員將此地址的網域加入允許清單。',
      },
      {
        en: 'An Excel file in Drive is no spreadsheet. Choose File › Save as Google Sheets first.',
        'zh-TW': '雲端硬碟中的 Excel 檔案不是試算表，請先選擇「檔案」›「另存為 Google 試算表」。',
      },
      {
        en: 'Protected ranges must allow the address as well, or be elsewhere than the table.',
        'zh-TW': '受保護的範圍也須允許此地址編輯，或避開報表寫入的位置。',
      },
    ],
    agency: [],
    channels: [],
  },
]
