import type { AccountRef } from '#server/connectors/connector.ts'

// What the tests of this folder share: a login and accounts.

export const NOW = '2026-11-21T04:00:00Z'

export const login = {
  client_id: '100000000000-sandbox.apps.googleusercontent.com',
  client_secret: 'GOCSPX-sandbox-client-secret',
  refresh_token: 'sandbox-agency',
}

const MANAGER = '1110000001'

export const aurora = account('4203141501', 'TWD', 'Asia/Taipei')
export const japan = account('4203141502', 'JPY', 'Asia/Tokyo')
export const closed = account('5203141511', 'JPY', 'Asia/Tokyo')
export const takenBack = account('6203141512', 'JPY', 'Asia/Tokyo')
export const direct = account('7203141505', 'TWD', 'Asia/Taipei')

function account(external_id: string, currency: string, timezone: string): AccountRef {
  return { provider: 'google_ads', external_id, currency, timezone, via: MANAGER }
}

export const fault = (action: string, more: object = {}) => ({ platform: 'google_ads', action, ...more })

/** How many rows a page of the sandbox has: Google's 10,000 would put every response on one. */
export const pageSize = (google_ads_page_size: number) => ({ google_ads_page_size })
