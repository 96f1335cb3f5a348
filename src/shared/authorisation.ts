import type { Channel } from './channels/catalogue.ts'
import type { Text } from './language.ts'

/** How a client grants the agency access to an account, by the channels that have accounts of their own. */
export const authorisations = [
  {
    channel: 'fb',
    how: {
      en: 'In Business settings the client adds the agency’s business as a partner of the ad account, with permission to view performance. The agency then assigns the account to its system user.',
      'zh-TW':
        '客戶在「企業管理平台設定」將代理商的企業新增為廣告帳號的合作夥伴，並給予檢視成效的權限；代理商再將廣告帳號指派給自己的系統使用者。',
    },
  },
  {
    channel: 'aw',
    how: {
      en: 'The agency’s manager account sends a link request, and the client accepts it under Admin › Access and security. Or the client invites the address of the agency’s service account there, with read access.',
      'zh-TW':
        '代理商以管理員帳戶發出連結要求，客戶在「管理 › 存取權和安全性」接受；或由客戶在同一處邀請代理商服務帳戶的電子郵件地址，給予唯讀權限。',
    },
  },
  {
    channel: 'yg',
    how: {
      en: 'Yahoo! JAPAN: the account is linked to the agency’s manager account (MCC), or the agency’s Business ID becomes a member of it; read access is enough. Yahoo DSP: the login covers the advertisers of its seat.',
      'zh-TW':
        'Yahoo! JAPAN：將帳戶連結至代理商的管理帳戶（MCC），或將代理商的 Business ID 加為帳戶成員，檢視權限即可。Yahoo DSP：登入資料涵蓋其席位（seat）下的所有廣告主。',
    },
  },
  {
    channel: 'tt',
    how: {
      en: 'The client adds the agency’s Business Center as a partner of the ad account. The agency’s user needs at least the role Analyst in it.',
      'zh-TW':
        '客戶將代理商的商務中心（Business Center）新增為廣告帳戶的合作夥伴；代理商的使用者至少須具備該帳戶的「分析師」角色。',
    },
  },
  {
    channel: 'ln',
    how: {
      en: 'The agency’s group sends a link request, and the client accepts it in their own LINE Ad Manager.',
      'zh-TW': '代理商的群組發出連結要求，客戶在自己的 LINE 廣告後台（Ad Manager）接受。',
    },
  },
  {
    channel: 'ga4',
    how: {
      en: 'In GA4, under Admin › Access management of the account or property, the client adds the address of the agency’s login as Viewer. “No cost metrics” and “No revenue metrics” must be off, else cost and revenue are 0.',
      'zh-TW':
        '客戶在 GA4 的「管理 › 存取權管理」（帳戶或資源層級），將代理商登入的電子郵件地址新增為「檢視者」。請勿勾選隱藏費用或收益指標的限制，否則費用與收益皆為 0。',
    },
  },
  {
    channel: 'ga',
    how: {
      en: 'Google has shut down Universal Analytics. What was exported before can be imported as an archive by the operator of Sheetcast.',
      'zh-TW':
        'Google 已停止 Universal Analytics。先前匯出的資料可由 Sheetcast 的系統維運人員匯入為封存資料。',
    },
  },
] as const satisfies readonly { channel: Channel; how: Text }[]
