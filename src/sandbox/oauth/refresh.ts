import { personOf } from '#sandbox/dataset/persons.ts'
import type { Grants, Redeemed } from './grants.ts'
import type { TokenReply } from './token.ts'

// A person's consent: a code becomes a refresh token, and that one access tokens. The application has one
// client. The refresh token of the agency's logins, which nobody has to agree to, is their name. The secret
// may be such a name, too, for external checks that know nothing else.

export const CLIENT_ID = '100000000000-sandbox.apps.googleusercontent.com'
const SECRETS = new Set(['GOCSPX-sandbox-client-secret', 'sandbox-admin', 'sandbox-agency'])
const LOGINS = new Set(['sandbox-admin', 'sandbox-agency'])
const SCOPES = ['adwords', 'analytics.readonly', 'datamanager'].map(
  scope => `https://www.googleapis.com/auth/${scope}`,
)

type Granted =
  | { refused: TokenReply; login: null; scope: null }
  | { refused: null; login: string; scope: string; refresh_token?: string }

interface TokenContext {
  grants: Grants
  now: number
}

/** The login and scopes that a refresh token of a form is exchanged for; or why none. */
export function refresh(form: URLSearchParams, { grants, now }: TokenContext): Granted {
  const wrong = whyNot(form, ['refresh_token', 'client_id', 'client_secret'])
  if (wrong) return wrong
  const login = form.get('refresh_token') ?? ''
  if (LOGINS.has(login)) return { refused: null, login, scope: SCOPES.join(' ') }
  const grant = grants.of('google', login, now)
  if (grant === null || grant === 'ended') {
    return refused(400, 'invalid_grant', 'Token has been expired or revoked.')
  }
  return { refused: null, login: personOf(grant.person).email, scope: grant.scopes.join(' ') }
}

/** The same for the code that a person came back with. */
export function redeem(form: URLSearchParams, { grants, now }: TokenContext): Granted {
  const wrong = whyNot(form, ['code', 'client_id', 'client_secret', 'redirect_uri'])
  if (wrong) return wrong
  const redemption = {
    code: form.get('code') ?? '',
    client_id: form.get('client_id') ?? '',
    redirect_uri: form.get('redirect_uri'),
    verifier: form.get('code_verifier'),
  }
  const redeemed = grants.redeem('google', redemption, now)
  if (redeemed.grant === null) {
    const [error, words] = REFUSALS[redeemed.refused]
    const isMissing = redeemed.refused === 'verifier' && redemption.verifier === null
    return refused(400, error, isMissing ? 'Missing code verifier.' : words)
  }
  const { grant, is_lasting } = redeemed
  return {
    refused: null,
    login: personOf(grant.person).email,
    scope: grant.scopes.join(' '),
    ...(is_lasting && { refresh_token: grants.issue(grant, { prefix: '1//0e', expires_at: null, now }) }),
  }
}

const REFUSALS: Record<NonNullable<Redeemed['refused']>, [string, string]> = {
  unknown: ['invalid_grant', 'Malformed auth code.'],
  used: ['invalid_grant', 'Bad Request'],
  late: ['invalid_grant', 'Bad Request'],
  client: ['unauthorized_client', 'Unauthorized'],
  redirect: ['redirect_uri_mismatch', 'Bad Request'],
  verifier: ['invalid_grant', 'Invalid code verifier.'],
}

/** POST /revoke: all that the person has agreed to with the app ends, whichever token is sent. */
export function revoke(
  token: string | null,
  { grants, now, personOfAccess }: TokenContext & { personOfAccess: (token: string) => string | null },
): TokenReply {
  if (!token)
    return {
      status: 400,
      body: { error: 'invalid_request', error_description: 'Missing required parameter: token' },
    }
  const grant = grants.of('google', token, now)
  const email = personOfAccess(token)
  const found = grants
    .list()
    .find(each => each === grant || (each.provider === 'google' && personOf(each.person).email === email))
  if (!found)
    return { status: 400, body: { error: 'invalid_token', error_description: 'Token expired or revoked' } }
  grants.revoke(grants.together(found))
  return { status: 200, body: {} }
}

function whyNot(form: URLSearchParams, required: readonly string[]) {
  const missing = required.find(name => !form.get(name))
  if (missing !== undefined) return refused(400, 'invalid_request', `Missing required parameter: ${missing}`)
  if (!/^[\w-]+\.apps\.googleusercontent\.com$/.test(form.get('client_id') ?? '')) {
    return refused(401, 'invalid_client', 'The OAuth client was not found.')
  }
  const ownClient = form.get('client_id') === CLIENT_ID
  if (!ownClient || !SECRETS.has(form.get('client_secret') ?? '')) {
    return refused(401, 'invalid_client', ownClient ? 'Unauthorized' : 'The OAuth client was not found.')
  }
  return null
}

const refused = (status: number, error: string, error_description: string) => ({
  refused: { status, body: { error, error_description } },
  login: null,
  scope: null,
})
