import { createPrivateKey, sign } from 'node:crypto'
import type { Person } from '#sandbox/dataset/persons.ts'
import type { KeyPair } from './key-pair.ts'

// Who a person is, for apps that ask for that (OpenID Connect). Nobody can untick it.

const USERINFO = 'https://www.googleapis.com/auth/userinfo.'
export const IDENTITY_SCOPES = ['openid', `${USERINFO}email`, `${USERINFO}profile`] as const

/** Google takes two scopes by short names, and answers with the long ones. */
export const fullNames = (scopes: string): string[] =>
  scopes.split(/\s+/).map(scope => (scope === 'email' || scope === 'profile' ? `${USERINFO}${scope}` : scope))

/** null when it was not asked for. */
export function idToken(
  { email, name, number }: Person,
  { scopes, app, keys, now }: { scopes: readonly string[]; app: string; keys: KeyPair; now: number },
): string | null {
  if (!scopes.includes('openid')) return null
  const issuedAt = Math.floor(now / 1000)
  const claims = {
    iss: 'https://accounts.google.com',
    azp: app,
    aud: app,
    sub: `10000000000000000000${number}`,
    ...(scopes.includes(`${USERINFO}email`) && { email, email_verified: true }),
    ...(scopes.includes(`${USERINFO}profile`) && { name }),
    iat: issuedAt,
    exp: issuedAt + 3600,
  }
  const signed = [{ alg: 'RS256', kid: keys.id, typ: 'JWT' }, claims]
    .map(part => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  const signature = sign('RSA-SHA256', Buffer.from(signed), createPrivateKey(keys.private_key))
  return `${signed}.${signature.toString('base64url')}`
}
