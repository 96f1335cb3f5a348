import { createHash, createPrivateKey } from 'node:crypto'
import { importPKCS8, SignJWT } from 'jose'
import { z } from 'zod'
import { PlatformFailure, type QuotaKey, type ConnectorContext } from '#server/connectors/connector.ts'
import { sendHttp, json, withRetry } from './http.ts'
import { withPermits } from './with-permits.ts'
import { AccessToken } from './tokens.ts'

// https://developers.google.com/identity/protocols/oauth2: a person's consent is kept as a refresh token, a service account as its private key.

const ServiceAccountKey = z
  .string()
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text)
    } catch {
      context.addIssue({ code: 'custom', message: 'is not JSON' })
      return z.NEVER
    }
  })
  .pipe(
    z.object({
      client_email: z.email(),
      private_key: z.string().refine(isSigningKey, 'is not an RSA key in PKCS #8'),
      private_key_id: z.string().optional(),
    }),
  )

/** A key that was cut while it was pasted would only fail when it is used. */
function isSigningKey(pem: string): boolean {
  try {
    return pem.startsWith('-----BEGIN PRIVATE KEY-----') && createPrivateKey(pem).asymmetricKeyType === 'rsa'
  } catch {
    return false
  }
}

const Consent = z.object({
  client_id: z.string().min(1),
  client_secret: z.string().min(1),
  refresh_token: z.string().min(1),
})

/** Either way of signing in to Google. */
export const GoogleLogin = z.union([z.object({ service_account_key: ServiceAccountKey }), Consent])
export type GoogleLogin = z.infer<typeof GoogleLogin>

const Granted = z.object({ access_token: AccessToken, expires_in: z.number().positive() })
const Refused = z.object({ error: z.string() })

type TokenContext = Pick<
  ConnectorContext,
  'fetch' | 'hosts' | 'tokens' | 'now' | 'signal' | 'sleep' | 'quota'
>

/** An access token for the login, and a way to say that the platform does not take it any more. */
export async function googleToken(
  login: GoogleLogin,
  scope: string,
  context: TokenContext,
): Promise<{ token: string; drop: () => void }> {
  const key = keyOf(login, scope)
  const token = await context.tokens.get(key, () => granted(login, scope, context))
  return { token, drop: () => context.tokens.drop(key, token) }
}

/** Names the login without telling it; also in quota keys. */
export const keyOf = (login: GoogleLogin, scope: string) =>
  createHash('sha256')
    .update(JSON.stringify([login, scope]))
    .digest('base64url')
    .slice(0, 22)

/**
 * The Cloud project that Google counts for, as far as the login tells: the number that a client ID begins
 * with, or the project that a service account's address is of.
 */
export const projectOf = (login: GoogleLogin): string =>
  'client_id' in login
    ? login.client_id.replace(/-.*/s, '')
    : login.service_account_key.client_email.replace(/^.*@|\.iam\.gserviceaccount\.com$/g, '')

async function granted(login: GoogleLogin, scope: string, context: TokenContext) {
  const { hosts, now } = context
  const grant =
    'service_account_key' in login
      ? await assertion(login.service_account_key, scope, { hosts, now })
      : {
          grant_type: 'refresh_token',
          client_id: login.client_id,
          client_secret: login.client_secret,
          refresh_token: login.refresh_token,
        }
  const quotaKey: QuotaKey = { platform: 'google_token', kind: 'credential', id: keyOf(login, scope) }
  const response = await withRetry(context, async () => {
    const given = await withPermits(context.quota, [quotaKey], () =>
      sendHttp(context, hosts.google_token, { method: 'POST', body: new URLSearchParams(grant) }),
    )
    await context.quota.after(quotaKey, given.status === 429 ? TOO_FAST : NOTHING_SAID)
    return given
  })
  const answer = json(response)
  const read = Granted.safeParse(answer)
  if (response.status === 200 && read.success)
    return { token: read.data.access_token, expires_in_s: read.data.expires_in }
  throw refusal(response.status, answer)
}

const NOTHING_SAID = { used_percent: 0, pause_ms: 0 }
/** Google says no time. */
const TOO_FAST = { used_percent: 100, pause_ms: 60_000, is_guess: true }

/** Sent instead of a password: signed with the account's own key, good for an hour. */
async function assertion(
  key: z.infer<typeof ServiceAccountKey>,
  scope: string,
  { hosts, now }: Pick<ConnectorContext, 'hosts' | 'now'>,
) {
  const issued_at = Math.floor(now().getTime() / 1000)
  const signed = await new SignJWT({ scope })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', ...(key.private_key_id && { kid: key.private_key_id }) })
    .setIssuer(key.client_email)
    .setAudience(hosts.google_token)
    .setIssuedAt(issued_at)
    .setExpirationTime(issued_at + 3600)
    .sign(await importPKCS8(key.private_key, 'RS256'))
  return { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: signed }
}

/**
 * What is wrong with a login itself: it is dead, its client is gone, or an administrator has forbidden it.
 */
const LOGIN_REFUSALS = new Set([
  'invalid_grant',
  'invalid_client',
  'unauthorized_client',
  'deleted_client',
  'disabled_client',
  'access_denied',
  'admin_policy_enforced',
])

/** Of a refusal only Google's own error names are told on: they hold nothing secret. */
function refusal(status: number, answer: unknown): PlatformFailure {
  const error = Refused.safeParse(answer).data?.error ?? ''
  const facts = { platform_message: /^[a-z_]{1,50}$/.test(error) ? error : `token endpoint: HTTP ${status}` }
  if (LOGIN_REFUSALS.has(error)) return new PlatformFailure('credential_expired', facts)
  if (status === 429)
    return new PlatformFailure('quota_exhausted', { ...facts, retry_after_ms: TOO_FAST.pause_ms })
  return new PlatformFailure(status >= 500 ? 'platform_unavailable' : 'platform_error', facts)
}
