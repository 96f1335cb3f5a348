import { z } from 'zod'
import { PlatformFailure, type ConnectorContext } from '#server/connectors/connector.ts'
import { consentAddress, exchangeCode } from '#server/connectors/kit/code-exchange.ts'
import type { OAuthConnector } from '#server/connectors/oauth.ts'
import { LyLogin } from '#server/connectors/yahoo/schema.ts'
import { callApi } from './client.ts'

/** Connecting to LY Ads. LY tells neither what was granted nor has a call that takes a consent back. */
export const lyConnect: OAuthConnector = {
  pkce: false,
  consentUrl: ({ app, callback_url, state, scopes }, hosts) =>
    consentAddress(hosts.ly_consent, {
      response_type: 'code',
      client_id: app.client_id,
      redirect_uri: callback_url,
      scope: scopes.join(' '),
      state,
    }),
  async exchange({ app: { client_id, client_secret }, code, callback_url }, context) {
    const form = {
      grant_type: 'authorization_code',
      client_id,
      client_secret,
      redirect_uri: callback_url,
      code,
    }
    const tokens = await exchangeCode(
      { url: context.hosts.ly_token, form, refusal: 'connect_failed' },
      context,
    )
    if (tokens.refresh_token === undefined)
      throw new PlatformFailure('connect_failed', { platform_message: 'no refresh token was given' })
    const login = { client_id, client_secret, refresh_token: tokens.refresh_token }
    return { login, expires_at: idleEnd(context), scopes: null, person: await personOf(login, context) }
  },
  grantedScopes: async () => null,
  async renew(stored, _app, context) {
    const login = LyLogin.parse(stored)
    const form = { grant_type: 'refresh_token', ...login }
    const { refresh_token = login.refresh_token } = await exchangeCode(
      { url: context.hosts.ly_token, form, refusal: 'credential_expired' },
      context,
    )
    return { login: { ...login, refresh_token }, expires_at: idleEnd(context) }
  },
}

const FOUR_WEEKS_MS = 28 * 86_400_000

/** A refresh token ends after about four weeks in which nobody uses it. */
const idleEnd = ({ now }: ConnectorContext) => new Date(now().getTime() + FOUR_WEEKS_MS)

const Rights = z.object({ authorizationBusinessId: z.string().min(1) })

/** The Business ID that the rights are of; null where LY does not say. */
async function personOf(login: LyLogin, context: ConnectorContext) {
  const call = { operation: 'BaseAccountService/get', body: '{"numberResults":1}', base: null, account: null }
  try {
    const rights = await callApi({ provider: 'ly_search', ...call }, Rights, { ...context, login })
    return { id: rights.authorizationBusinessId, name: null }
  } catch (error) {
    if (error instanceof PlatformFailure) return null
    throw error
  }
}
