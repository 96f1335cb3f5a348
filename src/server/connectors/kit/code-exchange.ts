import { z } from 'zod'
import type { ConnectorContext, PlatformErrorCode } from '#server/connectors/connector.ts'
import { callPlatform, refused, strayResponse, type Outcome } from './client.ts'
import { final, unreadable } from './failures.ts'
import { json, type HttpResponse } from './http.ts'
import { withoutSecrets } from './secrets.ts'
import { AccessToken } from './tokens.ts'

// A code, or a refresh token, for tokens, at an endpoint of OAuth 2 (RFC 6749). token-endpoint.ts has what is
// done before each call of a platform; here a person waits for the outcome, and reads the platform's words.

export interface CodeExchange {
  url: string
  form: Readonly<Record<string, string>>
  /** What a refusal in the platform's words is. */
  refusal: Extract<PlatformErrorCode, 'connect_failed' | 'credential_expired'>
}

const Tokens = z.object({
  access_token: AccessToken,
  refresh_token: z.string().min(1).optional(),
  scope: z.string().optional(),
  /** Google: who agreed (OpenID Connect). */
  id_token: z.string().optional(),
})
export type Tokens = z.infer<typeof Tokens>

/** Sent once: a code works once, and whether it was used up when an answer is lost is not known. */
export function exchangeCode(
  exchange: CodeExchange,
  context: Pick<ConnectorContext, 'fetch' | 'signal' | 'sleep' | 'limiter'>,
): Promise<Tokens> {
  return callPlatform(
    {
      url: exchange.url,
      init: () => ({
        method: 'POST',
        body: new URLSearchParams(exchange.form),
        headers: { accept: 'application/json' },
      }),
      quotaKeys: [],
      outcomeOf: response => outcomeOf(response, exchange),
      limits: CONNECT_LIMITS,
      attempts: 1,
    },
    context,
  )
}

/** Somebody looks at a page that waits. */
export const CONNECT_LIMITS = { timeout_ms: 20_000, max_bytes: 1024 * 1024 }

const NotGranted = z.object({ error: z.string().max(100), error_description: z.string().default('') })

function outcomeOf(response: HttpResponse, { form, refusal }: CodeExchange): Outcome<Tokens> {
  const body = json(response)
  const tokens = Tokens.safeParse(body)
  if (response.status === 200 && tokens.success) return { value: tokens.data }
  const { data } = NotGranted.safeParse(body)
  if (!data || response.status >= 500) {
    return response.status === 200
      ? { verdict: final('platform_error'), failure: unreadable('token endpoint') }
      : strayResponse(response, 'token endpoint')
  }
  const secrets = [form['code'], form['client_secret'], form['code_verifier'], form['refresh_token']]
  const words = `${data.error}: ${data.error_description}`.replace(/: $/, '')
  return refused(final(refusal), {
    reason: withoutSecrets(data.error, secrets),
    platform_message: withoutSecrets(words, secrets),
  })
}

/** The address of a consent page; what is null is left out. */
export function consentAddress(page: string, fields: Readonly<Record<string, string | null>>): string {
  const url = new URL(page)
  for (const [name, value] of Object.entries(fields)) if (value !== null) url.searchParams.set(name, value)
  return url.href
}
