import { isPerson, maySee, type PersonId } from '#sandbox/dataset/persons.ts'
import type { YahooAccount } from '#sandbox/dataset/yahoo.ts'
import type { Grant, Grants, Redeemed } from '#sandbox/oauth/grants.ts'

// The logins of the sandbox: two that are good as an access token, a refresh token, a code or a secret, and
// the people who agree on the consent page.

export type Login = 'sandbox-admin' | 'sandbox-agency' | PersonId

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

export function createLogins(grants: Grants): Logins {
  let tokens = new Map<string, { login: Login; expires: number; grant: Grant | null }>()
  let refreshers = new Map<string, { login: Login; used: number }>()
  let count = 0
  grants.onRevoked(grant => {
    for (const [text, token] of tokens) if (token.grant?.id === grant.id) tokens.delete(text)
  })

  const issue = (
    { login, grant }: { login: Login; grant: Grant | null },
    now: number,
    refresh_token: string,
  ) => {
    count++
    const access_token = `ly.${login}.${count}.${now}`
    tokens.set(access_token, { login, expires: now + LIFETIME_S * 1000, grant })
    return {
      status: 200,
      body: { access_token, token_type: 'Bearer', expires_in: LIFETIME_S, refresh_token },
    }
  }

  const ofRefresher = (token: string, now: number): { login: Login; grant: Grant | null } | null => {
    const grant = grants.of('ly', token, now)
    if (grant === 'ended') return null
    if (grant) return isIdle(grants.touch(token, now), now) ? null : { login: grant.person, grant }
    const known = refreshers.get(token)
    const login = known ? known.login : asLogin(token)
    if (login === null || isIdle(known?.used ?? null, now)) return null
    if (known) known.used = now
    return { login, grant: null }
  }

  const redeem = (parameters: URLSearchParams, now: number) => {
    const code = parameters.get('code') ?? ''
    const login = asLogin(code)
    if (login) {
      const refreshToken = `ly.refresh.${login}.${++count}`
      refreshers.set(refreshToken, { login, used: now })
      return issue({ login, grant: null }, now, refreshToken)
    }
    const redemption = {
      code,
      client_id: parameters.get('client_id') ?? '',
      redirect_uri: parameters.get('redirect_uri'),
    }
    const { refused: why, grant } = grants.redeem('ly', redemption, now)
    if (why !== null) return refused('invalid_grant', REFUSALS[why])
    const refreshToken = grants.issue(grant, { prefix: 'ly.refresh.', expires_at: null, now })
    return issue({ login: grant.person, grant }, now, refreshToken)
  }

  return {
    exchange(parameters, now) {
      const wrong = whyNot(parameters)
      if (wrong) return wrong
      if (parameters.get('grant_type') === 'authorization_code') return redeem(parameters, now)
      const refreshToken = parameters.get('refresh_token') ?? ''
      const found = ofRefresher(refreshToken, now)
      return found ? issue(found, now, refreshToken) : refused('invalid_grant', 'refresh_token is invalid')
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

const isIdle = (used: number | null, now: number) => used !== null && now - used > IDLE_MS

const REFUSALS: Record<NonNullable<Redeemed['refused']>, string> = {
  unknown: 'code is invalid',
  used: 'code is invalid',
  late: 'code is expired',
  client: 'code is invalid',
  redirect: 'redirect_uri is invalid',
  verifier: 'code is invalid',
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

/** The administrator sees every account, the agency its own, a person those of their advertisers. */
export const mayTell = (login: Login, account: YahooAccount) =>
  isPerson(login) ? maySee(login, account) : login === 'sandbox-admin' || account.is_agencys
