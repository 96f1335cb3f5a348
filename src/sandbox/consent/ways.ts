import { APPS, type Redirects } from './apps.ts'
import type { Provider } from '#sandbox/oauth/grants.ts'
import { fullNames, IDENTITY_SCOPES } from '#sandbox/oauth/id-token.ts'

// How each platform's consent page is called, and what it sends people back with.

/** What an app asks a person for. */
export interface Demand {
  provider: Provider
  client_id: string
  redirect: URL
  /** As it was sent: the exchange repeats it letter by letter. */
  redirect_uri: string
  state: string | null
  scopes: string[]
  /** Those of them that cannot be unticked. */
  fixed_scopes: readonly string[]
  challenge: string | null
  /** Whether what was agreed to before is added. */
  adds_granted: boolean
  /** `first`: only when the person agrees for the first time. */
  is_lasting: boolean | 'first'
}

/** Why there is no page, in the platform's words: nobody is sent to an address that is not registered. */
export class Refusal extends Error {}

interface Way {
  path: RegExp
  read(query: URLSearchParams, redirects: Redirects): Demand
  /** The parameters that come back beside the state. */
  agreed(code: string, scopes: readonly string[]): Record<string, string>
  denied: Record<string, string>
  fragment: string
}

const DENIED = { error: 'access_denied' }

const META: Way = {
  path: /^\/v\d+\.\d+\/dialog\/oauth$/,
  read(query, redirects) {
    const config = query.get('config_id')
    const lasts = query.get('override_default_response_type') === 'true'
    return {
      ...demandOf('meta', query, {
        client: 'Invalid App ID: The provided app ID does not look like a valid app ID.',
        redirect:
          "URL Blocked: This redirect failed because the redirect URI is not white-listed in the app's client OAuth settings.",
        scope: 'Invalid Scopes: ',
        redirects,
        // A configuration of Login for Business has its own scopes.
        scopes: config === null ? (query.get('scope') ?? '').split(/[\s,]+/) : [...APPS.meta.scopes],
      }),
      is_lasting: config !== null && lasts,
    }
  },
  agreed: code => ({ code }),
  denied: { ...DENIED, error_reason: 'user_denied' },
  fragment: '#_=_',
}

const GOOGLE: Way = {
  path: /^\/o\/oauth2\/v2\/auth$/,
  read(query, redirects) {
    const challenge = query.get('code_challenge')
    if (challenge !== null && query.get('code_challenge_method') !== 'S256')
      throw new Refusal('Error 400: invalid_request. Only S256 is emulated as code_challenge_method.')
    const asksAgain = (query.get('prompt') ?? '').split(' ').includes('consent')
    return {
      ...demandOf('google', query, {
        client: 'Error 401: invalid_client. The OAuth client was not found.',
        redirect:
          "Error 400: redirect_uri_mismatch. You can't sign in because this app sent an invalid request.",
        scope: 'Error 400: invalid_scope. Some requested scopes were invalid: ',
        redirects,
        scopes: fullNames(query.get('scope') ?? ''),
      }),
      fixed_scopes: IDENTITY_SCOPES,
      challenge,
      adds_granted: query.get('include_granted_scopes') === 'true',
      is_lasting: query.get('access_type') === 'offline' && (asksAgain || 'first'),
    }
  },
  agreed: (code, scopes) => ({ code, scope: scopes.join(' ') }),
  denied: DENIED,
  fragment: '',
}

const LY: Way = {
  path: /^\/oauth\/v1\/authorize$/,
  read: (query, redirects) =>
    demandOf('ly', query, {
      client: 'invalid_client: client_id is not known',
      redirect: 'invalid_request: redirect_uri is not registered',
      scope: 'invalid_scope: ',
      redirects,
      scopes: (query.get('scope') ?? '').split(/\s+/),
    }),
  agreed: code => ({ code }),
  denied: DENIED,
  fragment: '',
}

const TIKTOK: Way = {
  path: /^\/portal\/auth$/,
  read: (query, redirects) =>
    demandOf('tiktok', query, {
      client: 'Invalid app_id or redirect_uri',
      redirect: 'Invalid app_id or redirect_uri',
      scope: '',
      redirects,
      // What the app may do is settled in TikTok's portal, not in the address.
      scopes: [...APPS.tiktok.scopes],
    }),
  agreed: code => ({ auth_code: code, code }),
  denied: DENIED,
  fragment: '',
}

export const WAYS = [META, GOOGLE, LY, TIKTOK] as const satisfies Way[]

interface Words {
  client: string
  redirect: string
  /** In front of the scopes that the app may not ask for. */
  scope: string
  redirects: Redirects
  scopes: string[]
}

function demandOf(provider: Provider, query: URLSearchParams, { redirects, ...words }: Words): Demand {
  const clientId = query.get(provider === 'tiktok' ? 'app_id' : 'client_id') ?? ''
  if (!APPS[provider].client_ids.includes(clientId)) throw new Refusal(words.client)
  const redirectUri = query.get('redirect_uri')
  const redirect = redirects.find(redirectUri)
  if (redirectUri === null || redirect === null) throw new Refusal(words.redirect)
  if (provider !== 'tiktok' && query.get('response_type') !== 'code')
    throw new Refusal('invalid_request: response_type must be code')
  const scopes = [...new Set(words.scopes.filter(scope => scope !== ''))]
  const unknown = scopes.filter(scope => !APPS[provider].scopes.includes(scope))
  if (unknown.length > 0 || scopes.length === 0) throw new Refusal(`${words.scope}${unknown.join(' ')}`)
  return {
    provider,
    client_id: clientId,
    redirect,
    redirect_uri: redirectUri,
    state: query.get('state'),
    scopes,
    fixed_scopes: [],
    challenge: null,
    adds_granted: false,
    is_lasting: true,
  }
}
