import { z } from 'zod'
import type { ConnectorContext, PlatformErrorCode } from '#server/connectors/connector.ts'
import { callPlatform, refused, strayResponse, type Outcome } from '#server/connectors/kit/client.ts'
import { CONNECT_LIMITS, consentAddress } from '#server/connectors/kit/code-exchange.ts'
import { final, isRefusal } from '#server/connectors/kit/failures.ts'
import { json, parseWith, type HttpResponse } from '#server/connectors/kit/http.ts'
import { redactedFacts } from '#server/connectors/kit/secrets.ts'
import { AccessToken } from '#server/connectors/kit/tokens.ts'
import type { OAuthApp, OAuthConnector } from '#server/connectors/oauth.ts'
import { callApi } from './client.ts'
import { classify } from './failures.ts'
import { ErrorEnvelope, MetaLogin } from './schema.ts'

/**
 * Connecting to Meta. A code gives a token of an hour or two, and that one a token of sixty days; with a
 * configuration of Login for Business it may be a system user's, which does not end.
 * https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow
 */
export const metaConnect: OAuthConnector = {
  pkce: false,
  consentUrl: ({ app, callback_url, state, scopes }, hosts) =>
    consentAddress(`${hosts.meta_dialog}/dialog/oauth`, {
      client_id: app.client_id,
      redirect_uri: callback_url,
      state,
      response_type: 'code',
      ...(app.config_id
        ? { config_id: app.config_id, override_default_response_type: 'true' }
        : { scope: scopes.join(',') }),
    }),
  async exchange({ app, code, callback_url }, context) {
    const first = await tokenFor(
      { code, redirect_uri: callback_url },
      { app, context, refusal: 'connect_failed' },
    )
    const { access_token, expires_at } =
      first.expires_at === null
        ? first
        : await extended(first.access_token, { app, context, refusal: 'connect_failed' })
    const login = { access_token, app_secret: app.client_secret }
    const person = await callApi(
      { path: 'me', params: { fields: 'id,name' }, account: null, bare_ids: true },
      Person,
      { ...context, login },
    )
    return { login, expires_at, scopes: await permissionsOf(login, context), person }
  },
  grantedScopes: (stored, context) => permissionsOf(MetaLogin.parse(stored), context),
  async renew(stored, app, context) {
    const login = MetaLogin.parse(stored)
    const renewed = await extended(login.access_token, { app, context, refusal: 'credential_expired' })
    return {
      login: { ...stored, access_token: renewed.access_token },
      expires_at: renewed.expires_at,
    }
  },
  async revoke(stored, _app, context) {
    const io = { ...context, login: MetaLogin.parse(stored) }
    // Proxies drop what is in a DELETE.
    const call = {
      method: 'POST',
      path: 'me/permissions',
      params: { method: 'DELETE' },
      account: null,
    } as const
    try {
      await callApi(call, z.object({ success: z.literal(true) }), io)
    } catch (error) {
      if (!isRefusal(error, ...ENDED)) throw error
    }
  },
}

/** The token has ended already, or the person has taken the consent back. */
const ENDED = ['190/458', '190/460', '190/463']

const Person = z.object({
  id: z.union([z.string().min(1), z.int().transform(String)]),
  name: z.string().nullable().default(null),
})

const Permissions = z.object({ data: z.array(z.object({ permission: z.string(), status: z.string() })) })

async function permissionsOf(login: MetaLogin, context: ConnectorContext): Promise<string[]> {
  const call = { path: 'me/permissions', params: { limit: '200' }, account: null }
  const { data } = await callApi(call, Permissions, { ...context, login })
  return data.flatMap(({ permission, status }) => (status === 'granted' ? [permission] : []))
}

interface Exchange {
  app: OAuthApp
  context: ConnectorContext
  refusal: Extract<PlatformErrorCode, 'connect_failed' | 'credential_expired'>
}

const extended = (token: string, exchange: Exchange) =>
  tokenFor({ grant_type: 'fb_exchange_token', fb_exchange_token: token }, exchange)

const Granted = z.object({ access_token: AccessToken, expires_in: z.number().positive().optional() })

/** Sent once: a code works once. */
async function tokenFor(fields: Readonly<Record<string, string>>, { app, context, refusal }: Exchange) {
  const { client_id, client_secret } = app
  const query = new URLSearchParams({ client_id, client_secret, ...fields })
  const secrets = [client_secret, fields['code'], fields['fb_exchange_token']]
  const body = await callPlatform(
    {
      url: `${context.hosts.meta}/oauth/access_token?${query}`,
      init: () => ({ headers: { accept: 'application/json' } }),
      quotaKeys: [],
      outcomeOf: response => outcomeOf(response, refusal, secrets),
      limits: CONNECT_LIMITS,
      attempts: 1,
    },
    context,
  )
  const { access_token, expires_in } = parseWith(Granted, body, 'oauth/access_token')
  return {
    access_token,
    expires_at: expires_in === undefined ? null : new Date(context.now().getTime() + expires_in * 1000),
  }
}

function outcomeOf(
  response: HttpResponse,
  refusal: Exchange['refusal'],
  secrets: readonly (string | undefined)[],
): Outcome<unknown> {
  const body = json(response)
  const refusalSent = ErrorEnvelope.safeParse(body).data
  if (!refusalSent)
    return response.status === 200 ? { value: body } : strayResponse(response, 'oauth/access_token')
  const { error } = refusalSent
  const reason = `${error.code}${error.error_subcode === undefined ? '' : `/${error.error_subcode}`}`
  const facts = redactedFacts(
    { reason, words: error.message, code: reason, request_id: error.fbtrace_id },
    secrets,
  )
  const verdict = classify(error)
  // 1 is "try again" elsewhere; here it is also what a wrong secret is refused with.
  const isPassing = verdict.kind === 'quota' || (verdict.kind === 'retry' && error.code !== 1)
  return refused(isPassing ? verdict : final(refusal), facts)
}
