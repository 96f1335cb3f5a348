import type { TokenReply } from './token.ts'

// A person's consent, as an agency stores it: the refresh token is the name of a login, and the application
// has one client. Its secret may also be the name of a login, for external checks that know nothing else.

const CLIENT_ID = '100000000000-sandbox.apps.googleusercontent.com'
const SECRETS = new Set(['GOCSPX-sandbox-client-secret', 'sandbox-admin', 'sandbox-agency'])
const LOGINS = new Set(['sandbox-admin', 'sandbox-agency'])
const SCOPES = ['adwords', 'analytics.readonly', 'datamanager'].map(
  scope => `https://www.googleapis.com/auth/${scope}`,
)

type Refreshed =
  | { refused: TokenReply; login: null; scope: null }
  | { refused: null; login: string; scope: string }

/** The login and scopes that a refresh token of a form is exchanged for; or why none. */
export function refresh(form: URLSearchParams): Refreshed {
  for (const name of ['refresh_token', 'client_id', 'client_secret']) {
    if (!form.get(name)) return refused(400, 'invalid_request', `Missing required parameter: ${name}`)
  }
  if (!/^[\w-]+\.apps\.googleusercontent\.com$/.test(form.get('client_id') ?? '')) {
    return refused(401, 'invalid_client', 'The OAuth client was not found.')
  }
  const ownClient = form.get('client_id') === CLIENT_ID
  if (!ownClient || !SECRETS.has(form.get('client_secret') ?? '')) {
    return refused(401, 'invalid_client', ownClient ? 'Unauthorized' : 'The OAuth client was not found.')
  }
  const login = form.get('refresh_token') ?? ''
  if (!LOGINS.has(login)) {
    return refused(400, 'invalid_grant', 'Token has been expired or revoked.')
  }
  return { refused: null, login, scope: SCOPES.join(' ') }
}

const refused = (status: number, error: string, error_description: string): Refreshed => ({
  refused: { status, body: { error, error_description } },
  login: null,
  scope: null,
})
