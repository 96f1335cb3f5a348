import { Buffer } from 'node:buffer'
import { createPublicKey, randomBytes, verify } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { personAt, personOf } from '#sandbox/dataset/persons.ts'
import { idToken } from './id-token.ts'
import type { KeyPair } from './key-pair.ts'
import type { Grants } from './grants.ts'
import { redeem, refresh } from './refresh.ts'
import { readPart } from './jwt-part.ts'

const PRODUCTION_AUDIENCE = 'https://oauth2.googleapis.com/token'
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const LIFETIME_S = 3599
const SKEW_S = 300

export interface TokenReply {
  status: number
  body: Record<string, unknown>
}

/**
 * Exchange a signed assertion, a code or a refresh token for an opaque token. `times` are the moments (in
 * seconds) that may count as now, the sandbox's first.
 */
export function exchange(
  form: URLSearchParams,
  {
    db,
    accounts,
    audience,
    times,
    grants,
  }: {
    db: DatabaseSync
    accounts: ReadonlyMap<string, KeyPair>
    audience: string
    times: [number, ...number[]]
    grants: Grants
  },
): TokenReply {
  const grant = form.get('grant_type')
  if (!grant) return refused('invalid_request', 'Required parameter is missing: grant_type')
  if (grant === 'refresh_token' || grant === 'authorization_code') {
    const context = { grants, now: times[0] * 1000 }
    const granted = grant === 'refresh_token' ? refresh(form, context) : redeem(form, context)
    const { refused: reply, login, scope, ...more } = granted
    if (reply) return reply
    const tokens = { ...issue(db, login, scope), scope, ...more }
    return {
      status: 200,
      body: { ...tokens, ...identityOf({ login, scope, form }, { accounts, now: context.now }) },
    }
  }
  if (grant !== GRANT) return refused('unsupported_grant_type', `Invalid grant_type: ${grant}`)
  const assertion = readAssertion(form.get('assertion') ?? '')
  if (!assertion) return refused('invalid_grant', 'Bad Request')
  const { header, claims, signed, signature } = assertion
  const keys = accounts.get(String(claims['iss']))
  if (!keys) return refused('invalid_grant', 'Invalid grant: account not found')
  const knownKey = header['kid'] === undefined || header['kid'] === keys.id
  if (header['alg'] !== 'RS256' || !knownKey || !isSigned(keys, signed, signature)) {
    return refused('invalid_grant', 'Invalid JWT Signature.')
  }
  if (claims['aud'] !== PRODUCTION_AUDIENCE && claims['aud'] !== audience) {
    return refused(
      'invalid_grant',
      'Invalid JWT: Failed audience check. The right audience is https://oauth2.googleapis.com/token',
    )
  }
  const { iat, exp } = claims
  if (typeof iat !== 'number' || typeof exp !== 'number' || !times.some(now => isTimely(iat, exp, now))) {
    return refused(
      'invalid_grant',
      'Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. Check your iat and exp values in the JWT claim.',
    )
  }
  const scope = claims['scope']
  if (typeof scope !== 'string' || scope === '') {
    return refused('invalid_scope', 'Invalid OAuth scope or ID token audience provided.')
  }
  return { status: 200, body: issue(db, keys.email, scope) }
}

/** Returned only where the scope asks for it, and only for people. */
function identityOf(
  { login, scope, form }: { login: string; scope: string; form: URLSearchParams },
  { accounts, now }: { accounts: ReadonlyMap<string, KeyPair>; now: number },
) {
  const person = personAt(login)
  const [keys] = accounts.values()
  if (person === null || !keys) return {}
  const token = idToken(personOf(person), {
    scopes: scope.split(' '),
    app: form.get('client_id') ?? '',
    keys,
    now,
  })
  return token === null ? {} : { id_token: token }
}

function issue(db: DatabaseSync, email: string, scope: string) {
  const access_token = `ya29.c.${randomBytes(48).toString('base64url')}`
  const now = Date.now()
  db.prepare('delete from token where expires_at < ?').run(now)
  const put = db.prepare('insert into token (token, email, scope, expires_at) values (?, ?, ?, ?)')
  put.run(access_token, email, scope, now + LIFETIME_S * 1000)
  return { access_token, expires_in: LIFETIME_S, token_type: 'Bearer' }
}

const isTimely = (iat: number, exp: number, now: number) =>
  iat <= now + SKEW_S && exp >= now - SKEW_S && exp - iat <= 3600 && exp > iat

const isSigned = (keys: KeyPair, signed: string, signature: Buffer) =>
  verify('RSA-SHA256', Buffer.from(signed), createPublicKey(keys.public_key), signature)

function readAssertion(text: string) {
  const [header, claims, signature, ...rest] = text.split('.')
  if (!header || !claims || !signature || rest.length > 0) return null
  const [head, body] = [readPart(header), readPart(claims)]
  return (
    head &&
    body && {
      header: head,
      claims: body,
      signed: `${header}.${claims}`,
      signature: Buffer.from(signature, 'base64url'),
    }
  )
}

const refused = (error: string, error_description: string): TokenReply => ({
  status: 400,
  body: { error, error_description },
})
