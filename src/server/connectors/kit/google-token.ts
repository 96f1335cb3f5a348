import { createPrivateKey } from 'node:crypto'
import { importPKCS8, SignJWT } from 'jose'
import { z } from 'zod'
import type { ConnectorContext } from '#server/connectors/connector.ts'
import type { AccessGrant } from './client.ts'
import { loginKey, signIn } from './token-endpoint.ts'

// A person's consent is stored as a refresh token, a service account as its private key:
// https://developers.google.com/identity/protocols/oauth2

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

type TokenContext = Pick<
  ConnectorContext,
  'fetch' | 'hosts' | 'tokens' | 'now' | 'signal' | 'sleep' | 'limiter'
>

/** An access token for the login, and a way to drop it when the platform refuses it. */
export function googleToken(login: GoogleLogin, scope: string, context: TokenContext): Promise<AccessGrant> {
  const key = keyOf(login, scope)
  return signIn(
    {
      url: context.hosts.google_token,
      key,
      form: () => grantOf(login, scope, context),
      quotaKeys: [{ platform: 'google_token', kind: 'credential', id: key }],
    },
    context,
  )
}

/** The secrets that a refusal may repeat, and that must not be stored. */
export const googleSecrets = (login: GoogleLogin, token: string): string[] =>
  'refresh_token' in login ? [token, login.client_secret, login.refresh_token] : [token]

/** Identifies the login without revealing it; also in quota keys. */
export const keyOf = (login: GoogleLogin, scope: string) => loginKey(login, scope)

/**
 * The Cloud project that Google counts for, as far as the login shows: the number that a client ID begins
 * with, or the project that a service account's address is of.
 */
export const projectOf = (login: GoogleLogin): string =>
  'client_id' in login
    ? login.client_id.replace(/-.*/s, '')
    : login.service_account_key.client_email.replace(/^.*@|\.iam\.gserviceaccount\.com$/g, '')

async function grantOf(login: GoogleLogin, scope: string, { hosts, now }: TokenContext) {
  if ('service_account_key' in login) return assertion(login.service_account_key, scope, { hosts, now })
  const { client_id, client_secret, refresh_token } = login
  return { grant_type: 'refresh_token', client_id, client_secret, refresh_token }
}

/** Sent instead of a password: signed with the account's own key, good for an hour. */
async function assertion(
  key: z.infer<typeof ServiceAccountKey>,
  scope: string,
  { hosts, now }: Pick<ConnectorContext, 'hosts' | 'now'>,
) {
  const issuedAt = Math.floor(now().getTime() / 1000)
  const signed = await new SignJWT({ scope })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', ...(key.private_key_id && { kid: key.private_key_id }) })
    .setIssuer(key.client_email)
    .setAudience(hosts.google_token)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + 3600)
    .sign(await importPKCS8(key.private_key, 'RS256'))
  return { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: signed }
}
