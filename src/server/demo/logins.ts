import type { ConnectablePlatform } from '#shared/connect.ts'
import type { Platform } from '#shared/platforms.ts'
import type { Login } from '#server/resources/public-accounts/logins.ts'

const google = {
  client_id: '100000000000-sandbox.apps.googleusercontent.com',
  client_secret: 'GOCSPX-sandbox-client-secret',
  refresh_token: 'sandbox-agency',
}

type DemoPlatform = Exclude<Platform, 'google'>

/**
 * The credentials of the demo's agency at the emulated platforms. A person's consent at Google is nobody's in
 * advance.
 */
export const demoLogins: Record<DemoPlatform, Login> = {
  meta: { access_token: 'sandbox-agency' },
  google_ads: google,
  ly_ads: { client_id: 'sandbox-agency', client_secret: 'sandbox-agency', refresh_token: 'sandbox-agency' },
  yahoo_dsp: { client_id: 'sandbox-agency', client_secret: 'sandbox-agency' },
  tiktok: {
    access_token: 'sandbox-agency',
    app_id: '7300000000000000001',
    app_secret: 'sandbox-app-secret',
  },
  line: { access_key: 'sandbox-agency', secret_key: 'sandbox-agency', group_ids: 'G10000000001' },
  universal_analytics: google,
  ga4: google,
}

/** The agency's apps there, with which people can connect further logins. */
export const demoApps: Record<ConnectablePlatform, { client_id: string; client_secret: string }> = {
  meta: { client_id: '460133700014200', client_secret: 'sandbox-app-secret' },
  google: { client_id: google.client_id, client_secret: google.client_secret },
  ly_ads: { client_id: 'sandbox-agency', client_secret: 'sandbox-agency' },
  tiktok: { client_id: '7300000000000000001', client_secret: 'sandbox-app-secret' },
}

export const demoPlatforms = Object.keys(demoLogins) as readonly DemoPlatform[]
