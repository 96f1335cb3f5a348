import { createHash, createPrivateKey } from 'node:crypto'
import { importPKCS8, SignJWT } from 'jose'
import { z } from 'zod'
import { PlatformFailure, type World } from './connector.ts'
import { exchange, json, persistently } from './exchange.ts'

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

const Granted = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() })
const Refused = z.object({ error: z.string(), error_description: z.string().optional() })

type TokenWorld = Pick<World, 'fetch' | 'hosts' | 'tokens' | 'now' | 'signal' | 'sleep'>

/** An access token for the login, and a way to say that the platform does not take it any more. */
export async function googleToken(
  login: GoogleLogin,
  scope: string,
  world: TokenWorld,
): Promise<{ token: string; drop: () => void }> {
  const key = keyOf(login, scope)
  const token = await world.tokens.get(key, () => granted(login, scope, world))
  return { token, drop: () => world.tokens.drop(key, token) }
}

/** Names the login without telling it; also for scopes of quota. */
export const keyOf = (login: GoogleLogin, scope: string) =>
  createHash('sha256')
    .update(JSON.stringify([login, scope]))
    .digest('base64url')
    .slice(0, 22)

async function granted(login: GoogleLogin, scope: string, world: TokenWorld) {
  const { hosts, now } = world
  const grant =
    'service_account_key' in login
      ? await assertion(login.service_account_key, scope, { hosts, now })
      : {
          grant_type: 'refresh_token',
          client_id: login.client_id,
          client_secret: login.client_secret,
          refresh_token: login.refresh_token,
        }
  const reply = await persistently(world, () =>
    exchange(world, hosts.google_token, { method: 'POST', body: new URLSearchParams(grant) }),
  )
  const answer = json(reply)
  const read = Granted.safeParse(answer)
  if (reply.status === 200 && read.success)
    return { token: read.data.access_token, expires_in_s: read.data.expires_in }
  throw refusal(reply.status, answer)
}

/** Sent instead of a password: signed with the account's own key, good for an hour. */
async function assertion(
  key: z.infer<typeof ServiceAccountKey>,
  scope: string,
  { hosts, now }: Pick<World, 'hosts' | 'now'>,
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

/** Of a refusal only Google's own error names are told on: they hold nothing secret. */
function refusal(status: number, answer: unknown): PlatformFailure {
  const refused = Refused.safeParse(answer)
  const facts = { platform_message: refused.success ? refused.data.error : `token endpoint: HTTP ${status}` }
  if (
    refused.success &&
    ['invalid_grant', 'invalid_client', 'unauthorized_client'].includes(refused.data.error)
  )
    return new PlatformFailure('credential_expired', facts)
  if (status === 429) return new PlatformFailure('quota_exhausted', { ...facts, retry_after_ms: 60_000 })
  return new PlatformFailure(status >= 500 ? 'platform_unavailable' : 'platform_error', facts)
}
