import type { ConnectablePlatform } from '#shared/connect.ts'
import { oauthConnectors } from '#server/connectors/all.ts'
import { challengeOf, type OAuthApp } from '#server/connectors/oauth.ts'
import { sandboxHosts } from './context.ts'

// A person at the consent page, as a browser would be.

export const CALLBACK = 'http://localhost:3000/oauth/callback'
export const VERIFIER = 'a-verifier-of-forty-three-characters-or-more'

/** The agency's apps at the sandbox. */
export const apps: Record<ConnectablePlatform, OAuthApp> = {
  meta: { client_id: '460133700014200', client_secret: 'sandbox-app-secret' },
  google: {
    client_id: '100000000000-sandbox.apps.googleusercontent.com',
    client_secret: 'GOCSPX-sandbox-client-secret',
  },
  ly_ads: { client_id: 'sandbox-agency', client_secret: 'sandbox-agency' },
  tiktok: { client_id: '7300000000000000001', client_secret: 'sandbox-app-secret' },
}

/** What the person does there. */
export interface Answer {
  /** The scopes that stay ticked; left out: all. */
  ticked?: readonly string[]
  person?: 'agency-admin' | 'agency-analyst' | 'client-admin' | 'nobody'
  decision?: 'agree' | 'deny'
}

export interface Visit extends Answer {
  platform: ConnectablePlatform
  scopes: readonly string[]
  app?: OAuthApp
}

/** Where the platform sends the person back to, with a code or an error. */
export async function answerConsent(origin: string, visit: Visit): Promise<URL> {
  const { platform, scopes } = visit
  const connector = oauthConnectors[platform]
  const page = connector.consentUrl(
    {
      app: visit.app ?? apps[platform],
      callback_url: CALLBACK,
      state: 'state-1',
      scopes,
      challenge: connector.pkce ? challengeOf(VERIFIER) : null,
    },
    sandboxHosts(origin),
  )
  return await answerPage(page, visit)
}

/** The same for a page that the product has sent the person to. */
export async function answerPage(page: string, answer: Answer = {}): Promise<URL> {
  const { ticked, person = 'agency-admin', decision = 'agree' } = answer
  // Without a field of that name everything stays ticked.
  const scopeFields = ticked ? ['', ...ticked].map(scope => ['scope', scope]) : []
  const body = new URLSearchParams([['person', person], ['decision', decision], ...scopeFields])
  const response = await fetch(page, { method: 'POST', body, redirect: 'manual' })
  const back = response.headers.get('location')
  if (back === null) throw new Error(`the consent page answered ${response.status}`)
  return new URL(back)
}
