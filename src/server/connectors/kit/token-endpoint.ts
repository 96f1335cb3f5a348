import { z } from 'zod'
import type { ConnectorContext, QuotaKey } from '#server/connectors/connector.ts'
import { callPlatform, refused, type AccessGrant, type Outcome } from './client.ts'
import { final, retry, unreadable, type Verdict } from './failures.ts'
import { json, type HttpResponse } from './http.ts'
import { keyFingerprint } from './secrets.ts'
import { AccessToken } from './tokens.ts'

// Short-lived tokens of OAuth 2 (RFC 6749): a form with a grant is sent, a token comes back.

export interface TokenRequest {
  url: string
  /** Identifies the login without revealing it. */
  key: string
  /** The grant, made when it is needed: a signed one is good for minutes. */
  form: () => Promise<Record<string, string>>
  quotaKeys?: readonly QuotaKey[]
  /** For a platform that refuses in another way than by the names of RFC 6749; null: the usual reading. */
  classify?: (response: HttpResponse) => Verdict | null
}

/** A token that is still good for a while, from this process's memory or from the endpoint. */
export async function signIn(
  request: TokenRequest,
  context: Pick<ConnectorContext, 'fetch' | 'signal' | 'sleep' | 'limiter' | 'tokens'>,
): Promise<AccessGrant> {
  const { key } = request
  const token = await context.tokens.get(key, async () => {
    const body = new URLSearchParams(await request.form())
    const call = {
      url: request.url,
      init: () => ({ method: 'POST', body, headers: { accept: 'application/json' } }),
      quotaKeys: request.quotaKeys ?? [],
      outcomeOf: (response: HttpResponse) => outcomeOf(response, request),
    }
    return callPlatform(call, context)
  })
  return { token, drop: () => context.tokens.drop(key, token) }
}

/** Identifies a login without revealing it; also for keys of quotas. */
export const loginKey = (...login: unknown[]) => keyFingerprint(JSON.stringify(login))

const Granted = z.object({ access_token: AccessToken, expires_in: z.number().positive() })
/** Only names of errors are passed on: they hold nothing secret. */
const NotGranted = z.object({ error: z.string().regex(/^\w{1,60}$/) })

function outcomeOf(
  response: HttpResponse,
  request: TokenRequest,
): Outcome<{ token: string; expires_in_s: number }> {
  const { status } = response
  const body = json(response)
  const granted = Granted.safeParse(body)
  if (status === 200 && granted.success)
    return { value: { token: granted.data.access_token, expires_in_s: granted.data.expires_in } }
  const error = NotGranted.safeParse(body).data?.error
  if (status === 200 && error === undefined) return { verdict: retry, failure: unreadable('token endpoint') }
  const platform_message = error ?? `token endpoint: HTTP ${status}`
  const verdict = request.classify?.(response) ?? classifyStatus(status)
  return refused(error !== undefined && LOGIN_REFUSALS.has(error) ? final('credential_expired') : verdict, {
    reason: error ?? String(status),
    platform_message,
  })
}

function classifyStatus(status: number): Verdict {
  if (status === 429) return { kind: 'quota', pauses: 'all', wait_ms: 60_000, is_guess: true }
  return status >= 500 ? retry : final('platform_error')
}

/**
 * What is wrong with a login itself: it is dead, its client is gone, or an administrator has forbidden it.
 */
const LOGIN_REFUSALS: ReadonlySet<string> = new Set([
  'invalid_grant',
  'invalid_client',
  'unauthorized_client',
  'deleted_client',
  'disabled_client',
  'access_denied',
  'admin_policy_enforced',
])
