import type { YahooAccount } from '#sandbox/dataset/yahoo.ts'

// The logins of the sandbox, each good as an access token, a refresh token, a code or a secret.

export type Login = 'sandbox-admin' | 'sandbox-agency'

export const asLogin = (text: string): Login | null =>
  text === 'sandbox-admin' || text === 'sandbox-agency' ? text : null

const LIFETIME_S = 3600
/** A refresh token that nobody uses for four weeks dies; the logins themselves never do. */
const IDLE_MS = 28 * 86_400_000

export interface Logins {
  /** GET or POST of the token endpoint. */
  exchange(parameters: URLSearchParams, now: number): { status: number; body: Record<string, unknown> }
  /** The login behind an access token; null when it is unknown or has expired. */
  of(token: string, now: number): Login | null
  revoke(): void
}

export function createLogins(): Logins {
  let tokens = new Map<string, { login: Login; expires: number }>()
  let refreshers = new Map<string, { login: Login; used: number }>()
  let count = 0

  const issue = (login: Login, now: number, refresh_token: string) => {
    count++
    const access_token = `ly.${login}.${count}.${now}`
    tokens.set(access_token, { login, expires: now + LIFETIME_S * 1000 })
    return {
      status: 200,
      body: { access_token, token_type: 'Bearer', expires_in: LIFETIME_S, refresh_token },
    }
  }

  const loginOfRefresher = (token: string, now: number): Login | null => {
    const known = refreshers.get(token)
    if (!known) return asLogin(token)
    if (now - known.used > IDLE_MS) return null
    known.used = now
    return known.login
  }

  return {
    exchange(parameters, now) {
      const wrong = whyNot(parameters)
      if (wrong) return wrong
      if (parameters.get('grant_type') === 'refresh_token') {
        const refreshToken = parameters.get('refresh_token') ?? ''
        const login = loginOfRefresher(refreshToken, now)
        return login ? issue(login, now, refreshToken) : refused('invalid_grant', 'refresh_token is invalid')
      }
      const login = asLogin(parameters.get('code') ?? '')
      if (!login) return refused('invalid_grant', 'code is invalid')
      const refreshToken = `ly.refresh.${login}.${++count}`
      refreshers.set(refreshToken, { login, used: now })
      return issue(login, now, refreshToken)
    },
    of(token, now) {
      const issued = tokens.get(token)
      if (issued) return issued.expires > now ? issued.login : null
      return asLogin(token)
    },
    revoke() {
      tokens = new Map()
      refreshers = new Map()
    },
  }
}

const PARAMETERS: Record<string, string[]> = {
  authorization_code: ['grant_type', 'client_id', 'client_secret', 'redirect_uri', 'code'],
  refresh_token: ['grant_type', 'client_id', 'client_secret', 'refresh_token'],
}

function whyNot(parameters: URLSearchParams) {
  const grant = parameters.get('grant_type')
  if (!grant) return refused('invalid_request', 'grant_type is required')
  const allowed = PARAMETERS[grant]
  if (!allowed) return refused('unsupported_grant_type', `grant_type ${grant} is not supported`)
  const missing = allowed.find(name => !parameters.get(name))
  if (missing) return refused('invalid_request', `${missing} is required`)
  const unknown = [...parameters.keys()].find(name => !allowed.includes(name))
  if (unknown !== undefined) return refused('invalid_request', `${unknown} is not known`)
  const secret = parameters.get('client_secret') ?? ''
  if (!asLogin(secret)) return { status: 401, body: { error: 'invalid_client' } }
  return null
}

const refused = (error: string, error_description: string) => ({
  status: 400,
  body: { error, error_description },
})

/** The administrator sees every account, the agency its own. */
export const mayTell = (login: Login, account: YahooAccount) =>
  login === 'sandbox-admin' || account.is_agencys
