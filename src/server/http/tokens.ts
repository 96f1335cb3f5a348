import { jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'

/** Seconds that an access token lives. */
export const ACCESS_S = 10 * 60
/** Seconds that a refresh token lives. */
export const REFRESH_S = 14 * 24 * 60 * 60

/**
 * Whom an access token identifies, and the session that it comes from. It never holds roles: they are read at
 * each request.
 */
export interface AccessClaims {
  user_id: number
  family: string
}

export interface RefreshClaims extends AccessClaims {
  /** The row of refresh_token. */
  token: string
}

interface Lifetime {
  issued_at: Date
  expires_at: Date
}

export interface Tokens {
  signAccess(claims: AccessClaims, now: Date): Promise<string>
  /** The same token each time for the same claims. */
  signRefresh(claims: RefreshClaims & Lifetime): Promise<string>
  /** null for anything but an access token of ours that has not expired. */
  readAccess(token: string, now: Date): Promise<AccessClaims | null>
  readRefresh(token: string, now: Date): Promise<RefreshClaims | null>
}

/**
 * Signs and reads both kinds with one key; the audience keeps them apart, so that neither passes for the
 * other.
 */
export function createTokens(key: Uint8Array): Tokens {
  const sign = (audience: Audience, { family, user_id, token, issued_at, expires_at }: Signed) =>
    new SignJWT({ family, ...(token !== undefined && { jti: token }) })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setSubject(String(user_id))
      .setAudience(audience)
      .setIssuedAt(seconds(issued_at))
      .setExpirationTime(seconds(expires_at))
      .sign(key)

  async function read<Schema extends z.ZodType>(
    token: string,
    audience: Audience,
    { claims, now }: { claims: Schema; now: Date },
  ) {
    if (!isCanonical(token)) return null
    try {
      const { payload } = await jwtVerify(token, key, { algorithms: ['HS256'], audience, currentDate: now })
      return claims.parse(payload)
    } catch {
      return null
    }
  }

  return {
    signAccess: ({ family, user_id }, now) => {
      const expires_at = new Date(now.getTime() + ACCESS_S * 1000)
      return sign('access', { family, user_id, issued_at: now, expires_at })
    },
    signRefresh: claims => sign('refresh', claims),
    readAccess: (token, now) => read(token, 'access', { claims: Access, now }),
    readRefresh: (token, now) => read(token, 'refresh', { claims: Renewal, now }),
  }
}

type Audience = 'access' | 'refresh'
type Signed = AccessClaims & Lifetime & { token?: string }

const UserId = z
  .string()
  .regex(/^[1-9]\d{0,15}$/)
  .transform(Number)
const Access = z
  .object({ sub: UserId, family: z.uuid() })
  .transform(({ sub, family }) => ({ user_id: sub, family }))
const Renewal = z
  .object({ sub: UserId, family: z.uuid(), jti: z.uuid() })
  .transform(({ sub, family, jti }) => ({ user_id: sub, family, token: jti }))

/**
 * The last letter of an unpadded base64 text has bits that no byte uses, so one signature has four spellings.
 * Only the canonical one is accepted: a token that differs in any letter is another token.
 */
function isCanonical(token: string): boolean {
  const signature = token.slice(token.lastIndexOf('.') + 1)
  return Buffer.from(signature, 'base64url').toString('base64url') === signature
}

const seconds = (instant: Date) => Math.floor(instant.getTime() / 1000)
