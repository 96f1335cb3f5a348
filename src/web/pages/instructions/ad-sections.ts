import { connectValues } from './connect-values.ts'
import type { Section } from './section.ts'

/** The advertising platforms. */
export const adSections: readonly Section[] = [
  {
    id: 'meta',
    title: { en: 'Meta (Facebook, Instagram)', 'zh-TW': 'Meta（Facebook、Instagram）' },
    who: {
      en: 'An administrator of the business that owns the ad account.',
      'zh-TW': '擁有該廣告帳號的企業管理平台管理員。',
    },
    steps: [
      {
        en: 'Open Business settings (business.facebook.com/settings) and choose Users › Partners.',
        'zh-TW': '開啟「企業管理平台設定」（business.facebook.com/settings），選擇「用戶」›「合作夥伴」。',
      },
      {
        en: 'Choose Add › Give a partner access to your assets, and enter the business ID of the agency.',
        'zh-TW': '選擇「新增」›「允許合作夥伴存取你的資產」，輸入代理商的企業編號。',
      },
      {
        en: 'Choose Ad accounts, select the account, and switch on View performance. If the agency also manages the ads, switch on Manage campaigns.',
        'zh-TW':
          '選擇「廣告帳號」並勾選要授權的帳號，開啟「查看成效」；若由代理商操作廣告，請再開啟「管理行銷活動」。',
      },
      { en: 'Save the changes.', 'zh-TW': '儲存變更。' },
    ],
    values: [
      { field: 'meta_business_id', label: { en: 'Business ID of the agency', 'zh-TW': '代理商的企業編號' } },
      {
        constant: 'https://business.facebook.com/settings/partners',
        label: { en: 'Address of the page', 'zh-TW': '設定頁面網址' },
      },
    ],
    agency_values: [
      { constant: 'ads_read', label: { en: 'Permission of the token', 'zh-TW': '權杖的權限' } },
      ...connectValues('meta'),
    ],
    send_back: {
      en: 'The ID and the name of the ad account (digits; it stands after act= in the address of Ads Manager).',
      'zh-TW': '廣告帳號的編號與名稱（純數字，即廣告管理員網址中 act= 之後的數字）。',
    },
    hints: [
      {
        en: 'An account that belongs to a person and to no business cannot be shared with a partner. Add it to a business first.',
        'zh-TW': '屬於個人、未加入任何企業的廣告帳號無法分享給合作夥伴，請先將它加入企業。',
      },
    ],
    agency: [
      {
        en: 'In the Business settings of the agency, assign the account to the system user, with permission to view performance. Otherwise the login does not see it.',
        'zh-TW':
          '在代理商的「企業管理平台設定」將該廣告帳號指派給系統使用者，並給予查看成效的權限，否則登入資料看不到此帳號。',
      },
      {
        en: 'The token of the system user needs the permission ads_read.',
        'zh-TW': '系統使用者的權杖需要 ads_read 權限。',
      },
    ],
    channels: ['fb'],
  },
  {
    id: 'google-ads',
    title: { en: 'Google Ads', 'zh-TW': 'Google Ads' },
    who: { en: 'A person with admin access to the account.', 'zh-TW': '具備該帳戶「管理員」存取權的人員。' },
    steps: [
      {
        en: 'Tell the agency the customer ID: ten digits at the top of Google Ads. The agency then sends a link request from its manager account.',
        'zh-TW': '將客戶 ID（Google Ads 頁面上方的十位數字）告訴代理商，代理商會由管理員帳戶發出連結要求。',
      },
      {
        en: 'In Google Ads open Admin › Access and security › Managers, compare the ID of the manager account, and accept the request.',
        'zh-TW': '在 Google Ads 開啟「管理」›「存取權和安全性」›「管理員」，核對管理員帳戶 ID 後接受要求。',
      },
      {
        en: 'Instead of a link: at Admin › Access and security › Users invite the address of the agency below, with the access level Read only.',
        'zh-TW':
          '若不建立連結：在「管理」›「存取權和安全性」›「使用者」邀請下方的代理商電子郵件地址，存取層級選「唯讀」。',
      },
    ],
    values: [
      {
        field: 'google_manager_id',
        label: { en: 'Manager account of the agency', 'zh-TW': '代理商的管理員帳戶 ID' },
      },
      { of: 'google_ads_addresses', label: { en: 'Address to invite', 'zh-TW': '要邀請的電子郵件地址' } },
    ],
    agency_values: [
      {
        of: 'google_ads_scope',
        label: { en: 'Scope, for a person’s consent instead', 'zh-TW': '改以個人同意授權時的使用範圍' },
      },
      ...connectValues('google'),
    ],
    send_back: {
      en: 'The customer ID of the account (123-456-7890).',
      'zh-TW': '帳戶的客戶 ID（123-456-7890）。',
    },
    hints: [
      {
        en: 'Reports read the account itself. A manager account of the client has no numbers: link the accounts below it.',
        'zh-TW': '報表讀取的是帳戶本身。客戶的管理員帳戶沒有數據，請連結其下的各個帳戶。',
      },
    ],
    agency: [
      {
        en: 'In the manager account choose Accounts › Add › Link existing account, and enter the customer ID.',
        'zh-TW': '在管理員帳戶選擇「帳戶」›「新增」›「連結現有帳戶」，輸入客戶 ID。',
      },
    ],
    channels: ['aw'],
  },
  {
    id: 'yahoo',
    title: { en: 'Yahoo (Yahoo! JAPAN, Yahoo DSP)', 'zh-TW': 'Yahoo（Yahoo! JAPAN、Yahoo DSP）' },
    who: {
      en: 'Yahoo! JAPAN: an administrator of the account. Yahoo DSP: the agency alone, for the advertisers of its seat.',
      'zh-TW': 'Yahoo! JAPAN：帳戶的管理者。Yahoo DSP：由代理商自行處理其席位（seat）下的廣告主。',
    },
    steps: [
      {
        en: 'Yahoo! JAPAN: tell the agency the account ID and whether it is search or display. The agency sends a request from its manager account (MCC); accept it in the management tool.',
        'zh-TW':
          'Yahoo! JAPAN：將帳戶 ID 及類型（搜尋或多媒體）告訴代理商，代理商會由管理帳戶（MCC）發出要求，請在管理工具中接受。',
      },
      {
        en: 'Instead of that: add the Business ID of the agency as a member of the account. Read access is enough.',
        'zh-TW': '若不透過 MCC：將代理商的 Business ID 加為帳戶成員，檢視權限即可。',
      },
      {
        en: 'Yahoo DSP: there is nothing to do for an advertiser of the agency’s seat.',
        'zh-TW': 'Yahoo DSP：屬於代理商席位的廣告主不需任何操作。',
      },
    ],
    values: [
      {
        field: 'yahoo_manager_id',
        label: {
          en: 'Manager account (MCC) or Business ID of the agency',
          'zh-TW': '代理商的管理帳戶（MCC）或 Business ID',
        },
      },
    ],
    agency_values: connectValues('ly_ads'),
    send_back: {
      en: 'The account ID, and which product it is: Search Ads, Display Ads or Yahoo DSP.',
      'zh-TW': '帳戶 ID 及產品：搜尋廣告、多媒體廣告或 Yahoo DSP。',
    },
    hints: [
      {
        en: 'Search and display have separate managers and accounts, and each needs its own request.',
        'zh-TW': '搜尋與多媒體廣告的管理帳戶與帳戶各自獨立，需分別提出要求。',
      },
      {
        en: 'Accounts of Yahoo Taiwan are in Yahoo DSP and never in Yahoo! JAPAN.',
        'zh-TW': '台灣 Yahoo 的帳戶在 Yahoo DSP，不在 Yahoo! JAPAN。',
      },
    ],
    agency: [
      {
        en: 'The login of Yahoo! JAPAN takes a client ID and a secret of the API management console, and a refresh token with the scope yahooads. It ends after about four weeks without use.',
        'zh-TW':
          'Yahoo! JAPAN 的登入資料需要 API 管理主控台的用戶端 ID 與密鑰，以及使用範圍 yahooads 的更新權杖；約四週未使用即失效。',
      },
    ],
    channels: ['yg'],
  },
  {
    id: 'tiktok',
    title: { en: 'TikTok', 'zh-TW': 'TikTok' },
    who: {
      en: 'An administrator of the Business Center that owns the ad account.',
      'zh-TW': '擁有該廣告帳戶的商務中心（Business Center）管理員。',
    },
    steps: [
      {
        en: 'Open Business Center (business.tiktok.com) and choose Users › Partners › Add partner.',
        'zh-TW': '開啟商務中心（business.tiktok.com），選擇「使用者」›「合作夥伴」›「新增合作夥伴」。',
      },
      {
        en: 'Enter the Business Center ID of the agency.',
        'zh-TW': '輸入代理商的商務中心 ID。',
      },
      {
        en: 'Choose Share assets › Advertiser accounts, select the account, and give the role Analyst. If the agency also manages the ads, choose Operator.',
        'zh-TW':
          '選擇「分享資產」›「廣告帳戶」，勾選帳戶並給予「分析師」角色；若由代理商操作廣告，請選「操作員」。',
      },
    ],
    values: [
      {
        field: 'tiktok_business_center_id',
        label: { en: 'Business Center ID of the agency', 'zh-TW': '代理商的商務中心 ID' },
      },
    ],
    agency_values: connectValues('tiktok'),
    send_back: {
      en: 'The ID of the ad account (digits; it stands after aadvid= in the address of Ads Manager).',
      'zh-TW': '廣告帳戶 ID（純數字，即廣告管理員網址中 aadvid= 之後的數字）。',
    },
    hints: [
      {
        en: 'An account that is in no Business Center is authorised anew by the consent of the agency’s user: invite that user to the account.',
        'zh-TW': '未加入商務中心的廣告帳戶，須邀請代理商的使用者加入帳戶，再由該使用者重新同意授權。',
      },
    ],
    agency: [
      {
        en: 'Give the agency’s user the role Analyst in the account at least. The account then comes through the Business Center, without a new consent.',
        'zh-TW': '為代理商的使用者至少指派該帳戶的「分析師」角色。透過商務中心取得的帳戶不需重新同意授權。',
      },
    ],
    channels: ['tt'],
  },
  {
    id: 'line',
    title: { en: 'LINE Ads', 'zh-TW': 'LINE 廣告' },
    who: { en: 'An administrator of the ad account.', 'zh-TW': '該廣告帳號的管理員。' },
    steps: [
      {
        en: 'Tell the agency the ID of the ad account. The agency’s group then sends a link request.',
        'zh-TW': '將廣告帳號 ID 告訴代理商，代理商的群組會發出連結要求。',
      },
      {
        en: 'Open LINE Ad Manager (admanager.line.biz), compare the group, and accept the request in the settings of the ad account.',
        'zh-TW': '開啟 LINE 廣告後台（admanager.line.biz），核對群組後在廣告帳號的設定中接受連結要求。',
      },
    ],
    values: [
      { field: 'line_group_id', label: { en: 'Group of the agency', 'zh-TW': '代理商的群組 ID' } },
      {
        constant: 'Reporting partner',
        label: { en: 'Role of the agency at LINE', 'zh-TW': '代理商在 LINE 的角色' },
      },
    ],
    agency_values: [],
    send_back: {
      en: 'The ID of the ad account (it begins with A).',
      'zh-TW': '廣告帳號 ID（以 A 開頭）。',
    },
    hints: [
      {
        en: 'No person is invited by e-mail: the link between the account and the group is all.',
        'zh-TW': '不需以電子郵件邀請任何人，帳號與群組完成連結即可。',
      },
    ],
    agency: [
      {
        en: 'The group has a key for the API in its settings. LINE grants it with the role Reporting partner, which takes about ten business days.',
        'zh-TW':
          '群組設定中有 API 金鑰。LINE 核准「報表合作夥伴」（Reporting partner）角色後才會提供，約需十個工作天。',
      },
    ],
    channels: ['ln'],
  },
]
