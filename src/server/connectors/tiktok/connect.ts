import { z } from 'zod'
import { PlatformFailure, type ConnectorContext } from '#server/connectors/connector.ts'
import { callPlatform, refused, strayResponse, type Outcome } from '#server/connectors/kit/client.ts'
import { CONNECT_LIMITS, consentAddress } from '#server/connectors/kit/code-exchange.ts'
import { final } from '#server/connectors/kit/failures.ts'
import { json, jsonRequest, parseWith, type HttpResponse } from '#server/connectors/kit/http.ts'
import { redactedFacts } from '#server/connectors/kit/secrets.ts'
import type { OAuthConnector } from '#server/connectors/oauth.ts'
import { callApi } from './client.ts'
import { Envelope, TikTokLogin } from './schema.ts'

/**
 * Connecting to TikTok: what may be asked for is settled in its portal, and the token does not end. What was
 * granted is returned once, with the token, in TikTok's own numbers.
 */
export const tiktokConnect: OAuthConnector = {
  pkce: false,
  consentUrl: ({ app, callback_url, state }, hosts) =>
    consentAddress(`${hosts.tiktok}/portal/auth`, {
      app_id: app.client_id,
      state,
      redirect_uri: callback_url,
    }),
  async exchange({ app, code }, context) {
    const body = { app_id: app.client_id, secret: app.client_secret, auth_code: code }
    const data = await callOnce('oauth2/access_token/', body, context)
    const { access_token, scope } = parseWith(Granted, data, 'oauth2/access_token/')
    const login = { access_token, app_id: app.client_id, app_secret: app.client_secret }
    return { login, expires_at: null, scopes: scope.map(String), person: await personOf(login, context) }
  },
  grantedScopes: async () => null,
  async revoke(stored, _app, context) {
    const { access_token, app_id, app_secret } = TikTokLogin.parse(stored)
    await callOnce('oauth2/revoke_token/', { app_id, secret: app_secret, access_token }, context)
  },
}

const Granted = z.object({
  access_token: z.string().min(1),
  scope: z.array(z.union([z.int(), z.string()])).default([]),
})

/** A call of the app itself, without the token of a login. */
async function callOnce(
  path: string,
  body: Readonly<Record<string, string>>,
  context: ConnectorContext,
): Promise<unknown> {
  return callPlatform(
    {
      url: `${context.hosts.tiktok}/open_api/v1.3/${path}`,
      init: () => jsonRequest(body, {}),
      quotaKeys: [],
      outcomeOf: response => outcomeOf(response, path, body),
      limits: CONNECT_LIMITS,
      attempts: 1,
    },
    context,
  )
}

const DONE = 0
/** The token is wrong or was revoked before. */
const ENDED = 40_105

function outcomeOf(
  response: HttpResponse,
  path: string,
  body: Readonly<Record<string, string>>,
): Outcome<unknown> {
  const envelope = Envelope.safeParse(json(response)).data
  if (!envelope) return strayResponse(response, path)
  const { code, message, request_id, data } = envelope
  if (code === DONE || (code === ENDED && 'access_token' in body)) return { value: data }
  const secrets = [body['secret'], body['auth_code'], body['access_token']]
  const reason = String(code)
  const facts = redactedFacts({ reason, words: message, code: reason, request_id }, secrets)
  return refused(final(code >= 50_000 ? 'platform_unavailable' : 'connect_failed'), facts)
}

const User = z.object({
  core_user_id: z.union([z.string().min(1), z.int().transform(String)]),
  display_name: z.string().nullish(),
})

/** null where the app may not ask. */
async function personOf(login: TikTokLogin, context: ConnectorContext) {
  const call = { path: 'user/info/', params: {}, account: null }
  try {
    const { data } = await callApi(call, User, { ...context, login })
    return { id: data.core_user_id, name: data.display_name ?? null }
  } catch (error) {
    if (error instanceof PlatformFailure) return null
    throw error
  }
}
