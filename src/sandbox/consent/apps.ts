import { z } from 'zod'
import type { Limits } from '#sandbox/control/control.ts'
import { APP_ID as META_APP_ID } from '#sandbox/meta/access.ts'
import { APP_ID as TIKTOK_APP_ID } from '#sandbox/tiktok/oauth.ts'
import { IDENTITY_SCOPES } from '#sandbox/oauth/id-token.ts'
import { CLIENT_ID as GOOGLE_CLIENT_ID } from '#sandbox/oauth/refresh.ts'
import type { Provider } from '#sandbox/oauth/grants.ts'

/** The agency's apps, and what each of them may ask for. */
export const APPS: Record<
  Provider,
  { name: string; client_ids: readonly string[]; scopes: readonly string[] }
> = {
  meta: {
    name: 'Meta',
    client_ids: [META_APP_ID],
    scopes: ['ads_read', 'ads_management', 'business_management'],
  },
  google: {
    name: 'Google',
    client_ids: [GOOGLE_CLIENT_ID],
    scopes: [
      ...IDENTITY_SCOPES,
      ...[
        'adwords',
        'datamanager',
        'analytics.readonly',
        'spreadsheets',
        'drive.metadata.readonly',
        'drive.file',
      ].map(scope => `https://www.googleapis.com/auth/${scope}`),
    ],
  },
  ly: {
    name: 'LY Business ID',
    client_ids: ['sandbox-agency', 'sandbox-admin'],
    scopes: ['yahooads'],
  },
  // 4: accounts, ads and reports; 5: audiences. The numbers are ours.
  tiktok: { name: 'TikTok for Business', client_ids: [TIKTOK_APP_ID], scopes: ['4', '5'] },
}

/** The addresses that people may be sent back to: this machine, and those registered through control. */
export interface Redirects {
  /** null: it is not registered. */
  find(text: string | null): URL | null
  limits: Limits
  reset(): void
}

export function createRedirects(): Redirects {
  let registered: string[] = []
  return {
    find(text) {
      const url = URL.parse(text ?? '')
      if (!url || url.hash !== '' || !/^https?:$/.test(url.protocol)) return null
      const isHere = ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname)
      return isHere || registered.includes(text ?? '') ? url : null
    },
    limits: {
      names: ['redirect_uris'],
      get: () => ({ redirect_uris: registered }),
      set: values => void ({ redirect_uris: registered } = Registered.parse(values)),
    },
    reset: () => void (registered = []),
  }
}

const Registered = z.strictObject({ redirect_uris: z.array(z.url()).max(50) })
