import type { z } from 'zod'
import type { QuotaKey } from '#server/connectors/connector.ts'
import { callPlatform, refused, type Outcome } from '#server/connectors/kit/client.ts'
import { retry, unreadable } from '#server/connectors/kit/failures.ts'
import { googleSecrets, googleToken, keyOf, projectOf } from '#server/connectors/kit/google-token.ts'
import { json, parseWith, type HttpResponse } from '#server/connectors/kit/http.ts'
import { withoutSecrets } from '#server/connectors/kit/secrets.ts'
import { classify, type Refused } from './failures.ts'
import { ErrorEnvelope, type UaIo } from './schema.ts'

export interface ApiCall {
  host: 'ua' | 'ua_management'
  /** Begins with a slash. */
  path: string
  /** Sent as JSON; left out: a call without a body. */
  body?: unknown
  /** The view that it is about; null for the login's own lists. */
  view: string | null
}

const SCOPE = 'https://www.googleapis.com/auth/analytics.readonly'

/** Sends one call and reads the response by a schema. */
export async function callApi<Schema extends z.ZodType>(
  call: ApiCall,
  schema: Schema,
  io: UaIo,
): Promise<z.output<Schema>> {
  const body = await callPlatform(
    {
      url: `${io.hosts[call.host]}${call.path}`,
      init: token => initOf(call, token),
      signIn: () => googleToken(io.login, SCOPE, io),
      quotaKeys: quotaKeysOf(call, io),
      outcomeOf: (response, token) => outcomeOf(response, token, io),
    },
    io,
  )
  return parseWith(schema, body, call.path)
}

function initOf({ body }: ApiCall, token: string): RequestInit {
  const authorization = `Bearer ${token}`
  if (body === undefined) return { headers: { authorization } }
  return {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
}

/** A redirection is not followed: it could lead to anybody. */
function outcomeOf(response: HttpResponse, token: string, io: UaIo): Outcome<unknown> {
  const body = json(response)
  if (response.status === 200)
    return body === undefined ? { verdict: retry, failure: unreadable('no JSON') } : { value: body }
  const refusal = refusedIn(response.status, body)
  const secrets = googleSecrets(io.login, token)
  return refused(classify(refusal), {
    reason: withoutSecrets(refusal.reason ?? String(response.status), secrets),
    platform_message: withoutSecrets(refusal.message || `HTTP ${response.status}`, secrets),
  })
}

function refusedIn(status: number, body: unknown): Refused {
  const envelope = ErrorEnvelope.safeParse(body)
  if (!envelope.success) return { status, message: null, reason: null }
  const { message, errors } = envelope.data.error
  return { status, message, reason: errors?.[0]?.reason ?? null }
}

/**
 * 2,000 requests in 100 seconds for a project, 100 for a login; a view has a number of requests a day, and
 * ten at once.
 */
function quotaKeysOf({ view }: ApiCall, { login }: UaIo): QuotaKey[] {
  const platform = 'universal_analytics'
  return [
    { platform, kind: 'app', id: projectOf(login), rate: { per_minute: 1140, burst: 100 }, at_once: 20 },
    {
      platform,
      kind: 'credential',
      id: keyOf(login, SCOPE),
      rate: { per_minute: 54, burst: 10 },
      at_once: 4,
    },
    ...(view === null ? [] : [{ platform, kind: 'account' as const, id: view, at_once: 4 }]),
  ]
}
