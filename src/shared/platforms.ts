import type { Text } from './language.ts'

/** Platforms that can be signed in to: one shared login serves every account that it sees there. */
export const platforms = {
  meta: {
    names: { en: 'Meta', 'zh-TW': 'Meta' },
    fields: {
      access_token: secret({ en: 'System user access token', 'zh-TW': '系統使用者存取權杖' }),
      app_secret: secret({ en: 'App secret', 'zh-TW': '應用程式密鑰' }),
    },
    needs: [['access_token']],
  },
  // Connected by a person, for Google Ads and Analytics together. The three below have logins of their own.
  google: {
    names: { en: 'Google', 'zh-TW': 'Google' },
    fields: { ...oauth(), ...googleAds() },
    needs: [['client_id', 'client_secret', 'refresh_token']],
  },
  google_ads: {
    names: { en: 'Google Ads', 'zh-TW': 'Google Ads' },
    fields: { ...google(), ...googleAds() },
    needs: googleNeeds(),
  },
  ly_ads: {
    names: { en: 'LY Ads (Yahoo! JAPAN)', 'zh-TW': 'LY Ads（Yahoo! JAPAN）' },
    fields: oauth(),
    needs: [['client_id', 'client_secret', 'refresh_token']],
  },
  yahoo_dsp: {
    names: { en: 'Yahoo DSP', 'zh-TW': 'Yahoo DSP' },
    fields: {
      client_id: open({ en: 'Client ID', 'zh-TW': '用戶端 ID' }),
      client_secret: secret({ en: 'Client secret', 'zh-TW': '用戶端密鑰' }),
    },
    needs: [['client_id', 'client_secret']],
  },
  tiktok: {
    names: { en: 'TikTok', 'zh-TW': 'TikTok' },
    fields: {
      access_token: secret({ en: 'Access token', 'zh-TW': '存取權杖' }),
      app_id: open({ en: 'App ID', 'zh-TW': '應用程式 ID' }),
      app_secret: secret({ en: 'App secret', 'zh-TW': '應用程式密鑰' }),
    },
    needs: [['access_token', 'app_id', 'app_secret']],
  },
  line: {
    names: { en: 'LINE Ads', 'zh-TW': 'LINE 廣告' },
    fields: {
      access_key: open({ en: 'Access key', 'zh-TW': '存取金鑰' }),
      secret_key: secret({ en: 'Secret key', 'zh-TW': '密鑰' }),
      group_ids: open({ en: 'Group IDs, separated by commas', 'zh-TW': '群組 ID（以逗號分隔）' }),
      requests_per_second: open({
        en: 'Requests per second: 2 (reporting partner) or 10',
        'zh-TW': '每秒請求數：2（報表合作夥伴）或 10',
      }),
    },
    needs: [['access_key', 'secret_key', 'group_ids']],
  },
  universal_analytics: {
    names: { en: 'Universal Analytics', 'zh-TW': 'Universal Analytics' },
    fields: google(),
    needs: googleNeeds(),
  },
  ga4: {
    names: { en: 'Google Analytics 4', 'zh-TW': 'Google Analytics 4' },
    fields: google(),
    needs: googleNeeds(),
  },
} as const satisfies Record<string, PlatformFacts>

export type Platform = keyof typeof platforms

export interface PlatformFacts {
  names: Text
  /** The fields of a login, in the order of the form. */
  fields: Readonly<Record<string, LoginField>>
  /** Sets of fields, any one of which is a whole login. */
  needs: readonly (readonly string[])[]
}

export interface LoginField {
  names: Text
  /** A secret is never shown again. */
  secret: boolean
  /** Multi-line. */
  long?: true
}

/**
 * The provider of an account: a platform, or one of several products of it. `channel` is the one that its
 * accounts belong to. `settles_after_days`: the numbers of a day that is this many days ago do not change any
 * more. Conversions come in on the day of the click for as long as the platform's longest attribution window.
 */
export const providers = {
  // "Insights do not change after 28 days of being reported."
  meta: { platform: 'meta', channel: 'fb', settles_after_days: 28 },
  google_ads: { platform: 'google_ads', channel: 'aw', settles_after_days: 90 },
  ly_search: { platform: 'ly_ads', channel: 'yg', settles_after_days: 90 },
  ly_display: { platform: 'ly_ads', channel: 'yg', settles_after_days: 90 },
  yahoo_dsp: { platform: 'yahoo_dsp', channel: 'yg', settles_after_days: 90 },
  tiktok: { platform: 'tiktok', channel: 'tt', settles_after_days: 28 },
  line: { platform: 'line', channel: 'ln', settles_after_days: 90 },
  universal_analytics: { platform: 'universal_analytics', channel: 'ga', settles_after_days: 0 },
  ga4: { platform: 'ga4', channel: 'ga4', settles_after_days: 90 },
} as const satisfies Record<string, { platform: Platform; channel: string; settles_after_days: number }>

export type Provider = keyof typeof providers

/** The facts of a platform, widened. */
export const platformFacts = (platform: Platform): PlatformFacts => platforms[platform]

function open(names: Text): LoginField {
  return { names, secret: false }
}

function secret(names: Text): LoginField {
  return { names, secret: true }
}

function oauth() {
  return {
    client_id: open({ en: 'Client ID', 'zh-TW': '用戶端 ID' }),
    client_secret: secret({ en: 'Client secret', 'zh-TW': '用戶端密鑰' }),
    refresh_token: secret({ en: 'Refresh token', 'zh-TW': '更新權杖' }),
  }
}

/** Google takes a service account, or a person's consent. */
function google() {
  return {
    service_account_key: {
      names: { en: 'Service account key (JSON)', 'zh-TW': '服務帳戶金鑰（JSON）' },
      secret: true,
      long: true,
    } as const,
    ...oauth(),
  }
}

function googleAds() {
  return {
    developer_token: secret({ en: 'Developer token', 'zh-TW': '開發人員權杖' }),
    login_customer_id: open({ en: 'Manager account ID', 'zh-TW': '管理員帳戶 ID' }),
  }
}

function googleNeeds() {
  return [['service_account_key'], ['client_id', 'client_secret', 'refresh_token']] as const
}
