import { decodeJwt } from 'jose'
import { z } from 'zod'
import { PlatformFailure } from '#server/connectors/connector.ts'
import type { OAuthConnector, StoredLogin } from '#server/connectors/oauth.ts'
import { callPlatform, refused, strayResponse, type Outcome } from './client.ts'
import { CONNECT_LIMITS, consentAddress, exchangeCode } from './code-exchange.ts'
import { final } from './failures.ts'
import { json, type HttpResponse } from './http.ts'
import { GoogleLogin } from './google-token.ts'

/**
 * Connecting to Google, whichever of its products the login is for.
 * https://developers.google.com/identity/protocols/oauth2/web-server
 */
export const googleConnect: OAuthConnector = {
  pkce: true,
  consentUrl: ({ app, callback_url, state, scopes, challenge }, hosts) =>
    consentAddress(hosts.google_consent, {
      client_id: app.client_id,
      redirect_uri: callback_url,
      response_type: 'code',
      scope: [...IDENTITY, ...scopes].join(' '),
      state,
      // Without consent Google gives a refresh token the first time only, and people connect again.
      access_type: 'offline',
      prompt: 'consent',
      include_granted_scopes: 'true',
      code_challenge: challenge,
      code_challenge_method: challenge === null ? null : 'S256',
    }),
  async exchange({ app: { client_id, client_secret }, code, callback_url, verifier }, context) {
    const form = {
      grant_type: 'authorization_code',
      client_id,
      client_secret,
      code,
      redirect_uri: callback_url,
      ...(verifier !== null && { code_verifier: verifier }),
    }
    const tokens = await exchangeCode(
      { url: context.hosts.google_token, form, refusal: 'connect_failed' },
      context,
    )
    if (tokens.refresh_token === undefined)
      throw new PlatformFailure('connect_failed', { platform_message: 'no refresh token was given' })
    return {
      login: { client_id, client_secret, refresh_token: tokens.refresh_token },
      expires_at: null,
      scopes: scopesIn(tokens),
      person: personIn(tokens.id_token, client_id),
    }
  },
  async grantedScopes(stored, context) {
    const login = consentIn(stored)
    if (!login) return null
    const form = { grant_type: 'refresh_token', ...login }
    const url = context.hosts.google_token
    return scopesIn(await exchangeCode({ url, form, refusal: 'credential_expired' }, context))
  },
  async revoke(stored, _app, context) {
    const login = consentIn(stored)
    if (!login) return
    await callPlatform(
      {
        url: new URL('revoke', context.hosts.google_token).href,
        init: () => ({ method: 'POST', body: new URLSearchParams({ token: login.refresh_token }) }),
        quotaKeys: [],
        outcomeOf: revocation,
        limits: CONNECT_LIMITS,
      },
      context,
    )
  },
}

/** Beside those of the services: they tell who agreed. Google answers with other names for them. */
const IDENTITY = ['openid', 'email'] as const
const isIdentity = (scope: string) => /^(openid|email|profile)$|\/auth\/userinfo\./.test(scope)

const scopesIn = ({ scope = '' }: { scope?: string | undefined }) =>
  scope.split(' ').filter(each => each !== '' && !isIdentity(each))

/** null for a service account: nobody has consented to it. */
function consentIn(stored: StoredLogin) {
  const login = GoogleLogin.parse(stored)
  return 'refresh_token' in login ? login : null
}

const Claims = z.object({ aud: z.string(), sub: z.string().min(1), email: z.email().nullish() })

/**
 * Who agreed: a stable number, and the address. It comes from Google over the connection on which the tokens
 * come, so its signature says nothing more. null where it is of another app or cannot be read: the login is
 * good all the same.
 */
function personIn(token: string | undefined, clientId: string) {
  if (token === undefined) return null
  try {
    const { aud, sub, email = null } = Claims.parse(decodeJwt(token))
    return aud === clientId ? { id: sub, name: email, email } : null
  } catch {
    return null
  }
}

/** What has ended already need not be ended. */
function revocation(response: HttpResponse): Outcome<null> {
  const { error } = NotRevoked.safeParse(json(response)).data ?? {}
  if (response.status === 200 || error === 'invalid_token') return { value: null }
  if (error === undefined) return strayResponse(response, 'revoke')
  return refused(final('platform_error'), { reason: error, platform_message: error })
}
const NotRevoked = z.object({ error: z.string().regex(/^\w{1,60}$/) })
