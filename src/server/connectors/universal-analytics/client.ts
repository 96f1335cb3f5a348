import type { z } from 'zod'
import { PlatformFailure, type QuotaKey } from '#server/connectors/connector.ts'
import {
  sendHttp,
  json,
  TransientError,
  withRetry,
  parseWith,
  unreadable,
  type HttpResponse,
} from '#server/connectors/kit/http.ts'
import { googleToken, keyOf, projectOf } from '#server/connectors/kit/google-token.ts'
import { withPermits } from '#server/connectors/kit/with-permits.ts'
import { withoutSecrets } from '#server/connectors/kit/secrets.ts'
import { classify, type Refusal, type Verdict } from './failures.ts'
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

/**
 * Asks one call and reads the answer by a schema. A transient failure is tried again a few times,
 * quickly; one that lasts is a PlatformFailure, so that the run waits and not the worker.
 */
export async function callApi<Schema extends z.ZodType>(
  call: ApiCall,
  schema: Schema,
  io: UaIo,
): Promise<z.output<Schema>> {
  let has_renewed = false
  const answer = await withRetry(io, async () => {
    const { token, drop } = await googleToken(io.login, SCOPE, io)
    const keys = quotaKeysOf(call, io)
    const response = await withPermits(io.quota, Object.values(keys), () => send(call, token, io))
    const refusal = refusalIn(response)
    const verdict = refusal && classify(refusal)
    await tellQuota(keys, verdict, io)
    if (!verdict) return readable(response)
    const facts = { platform_message: wordsOf(refusal, secretsOf(io, token)) }
    switch (verdict.kind) {
      case 'retry':
        throw new TransientError(new PlatformFailure('platform_unavailable', facts))
      case 'token': {
        drop()
        const failure = new PlatformFailure('credential_expired', facts)
        if (has_renewed) throw failure
        has_renewed = true
        throw new TransientError(failure)
      }
      case 'quota':
        throw new PlatformFailure('quota_exhausted', { ...facts, retry_after_ms: verdict.wait_ms })
      case 'final':
        throw new PlatformFailure(verdict.code, facts)
    }
  })
  return parseWith(schema, answer, call.path)
}

function send({ host, path, body }: ApiCall, token: string, io: UaIo): Promise<HttpResponse> {
  const authorization = `Bearer ${token}`
  return sendHttp(io, `${io.hosts[host]}${path}`, {
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    headers: { authorization, ...(body !== undefined && { 'content-type': 'application/json' }) },
  })
}

/** null for an answer that is none. A redirection is not followed: it could lead to anybody. */
function refusalIn(response: HttpResponse): Refusal | null {
  if (response.status === 200) return null
  const envelope = ErrorEnvelope.safeParse(json(response))
  if (!envelope.success) return { status: response.status, message: null, reason: null }
  const { message, errors } = envelope.data.error
  return { status: response.status, message, reason: errors?.[0]?.reason ?? null }
}

/** Half an answer is a broken connection, as a rule. */
function readable(response: HttpResponse): unknown {
  const answer = json(response)
  if (answer === undefined) throw new TransientError(unreadable('no JSON'))
  return answer
}

const secretsOf = ({ login }: UaIo, token: string) =>
  'client_secret' in login ? [token, login.client_secret, login.refresh_token] : [token]

function wordsOf({ status, message }: Refusal, secrets: string[]): string {
  if (!message) return `HTTP ${status}`
  return withoutSecrets(message, secrets)
}

type QuotaKeys = Record<'app' | 'credential', QuotaKey> & { account?: QuotaKey }

/**
 * 2,000 requests in 100 seconds for a project, 100 for a login; a view has a number of requests a day, and
 * ten at once.
 */
function quotaKeysOf({ view }: ApiCall, { login }: UaIo): QuotaKeys {
  const platform = 'universal_analytics'
  return {
    app: { platform, kind: 'app', id: projectOf(login), rate: { per_minute: 1140, burst: 100 }, at_once: 20 },
    credential: {
      platform,
      kind: 'credential',
      id: keyOf(login, SCOPE),
      rate: { per_minute: 54, burst: 10 },
      at_once: 4,
    },
    ...(view !== null && { account: { platform, kind: 'account', id: view, at_once: 4 } }),
  }
}

async function tellQuota(keys: QuotaKeys, verdict: Verdict | null, { quota }: UaIo): Promise<void> {
  const exhausted = verdict?.kind === 'quota' ? (keys[verdict.scope] ?? keys.app) : null
  for (const key of Object.values(keys)) {
    const is_out = key === exhausted && verdict?.kind === 'quota'
    await quota.after(key, { used_percent: is_out ? 100 : 0, pause_ms: is_out ? verdict.wait_ms : 0 })
  }
}
