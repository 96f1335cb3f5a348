import { hash, randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { isPerson, type PersonId } from '#sandbox/dataset/persons.ts'

// What people have agreed to: a consent gives a code, a code gives tokens, and all tokens of a consent end
// with it.

export type Provider = 'meta' | 'google' | 'ly' | 'tiktok'

const Grant = z.object({
  id: z.string(),
  provider: z.enum(['meta', 'google', 'ly', 'tiktok']),
  person: z.string().refine(isPerson),
  client_id: z.string(),
  scopes: z.array(z.string()),
  issued_at: z.number(),
})
export type Grant = z.infer<typeof Grant>

const Token = z.object({
  grant: z.string(),
  /** null: it ends with the consent only. */
  expires_at: z.number().nullable(),
  /** When it was last used, for those that die when nobody does. */
  used_at: z.number(),
})
type Token = z.infer<typeof Token>
const Stored = z.object({ grants: z.array(Grant), tokens: z.array(z.tuple([z.string(), Token])) })

/** What a person has agreed to on the page. */
export interface Consent {
  provider: Provider
  person: PersonId
  client_id: string
  scopes: string[]
  redirect_uri: string
  /** S256; null when none was sent. */
  challenge: string | null
  /** Whether the exchange gives what outlives the hour: a refresh token, a token without an end. */
  is_lasting: boolean
}

/** What is sent with a code; a member that the platform does not ask for is left out. */
export interface Redemption {
  code: string
  client_id: string
  redirect_uri?: string | null
  verifier?: string | null
}

export type Redeemed =
  | { refused: 'unknown' | 'used' | 'late' | 'client' | 'redirect' | 'verifier'; grant: null }
  | { refused: null; grant: Grant; is_lasting: boolean }

const CODE_LIFE_MS = 600_000

export interface Grants {
  /** The code for it. */
  agree(consent: Consent, now: number): string
  redeem(provider: Provider, redemption: Redemption, now: number): Redeemed
  /** A new token of a consent. */
  issue(grant: Grant, how: { prefix: string; expires_at: number | null; now: number }): string
  /** The consent behind a token; `ended` when it was one. */
  of(provider: Provider, token: string, now: number): Grant | 'ended' | null
  /** Whether a token has ended because its consent was taken back. */
  isRevoked(token: string): boolean
  /** When a token was used before this; for those that die when nobody does. */
  touch(token: string, now: number): number | null
  /** All consents of a person to an app, as one revocation ends them. */
  together(grant: Pick<Grant, 'provider' | 'person' | 'client_id'>): Grant[]
  revoke(grants: readonly Grant[]): void
  /** What else must end with a consent. */
  onRevoked(listener: (grant: Grant) => void): void
  list(): Grant[]
  reset(): void
}

/** `file`: where they are stored over a restart; null: nowhere. */
export function createGrants(file: string | null = null): Grants {
  let codes = new Map<string, Consent & { issued_at: number; is_used: boolean }>()
  let grants = new Map<string, Grant>()
  let tokens = new Map<string, Token>()
  const ended = new Set<string>()
  const listeners: ((grant: Grant) => void)[] = []

  if (file !== null && existsSync(file)) {
    const stored = Stored.parse(JSON.parse(readFileSync(file, 'utf8')))
    grants = new Map(stored.grants.map(grant => [grant.id, grant]))
    tokens = new Map(stored.tokens)
  }
  const store = () => {
    if (file === null) return
    const stored = { grants: [...grants.values()], tokens: [...tokens] }
    writeFileSync(file, JSON.stringify(stored), { mode: 0o600 })
  }

  const together: Grants['together'] = ({ provider, person, client_id }) =>
    [...grants.values()].filter(
      grant => grant.provider === provider && grant.person === person && grant.client_id === client_id,
    )

  return {
    agree(consent, now) {
      const code = `${consent.provider}-code-${random()}`
      codes.set(code, { ...consent, issued_at: now, is_used: false })
      return code
    },
    redeem(provider, redemption, now) {
      const code = codes.get(redemption.code)
      if (!code || code.provider !== provider) return { refused: 'unknown', grant: null }
      const refused = whyNot(code, redemption, now)
      if (refused !== null) return { refused, grant: null }
      code.is_used = true
      const { person, client_id, scopes, is_lasting } = code
      const grant = { id: random(), provider, person, client_id, scopes, issued_at: now }
      grants.set(grant.id, grant)
      store()
      return { refused: null, grant, is_lasting }
    },
    issue(grant, { prefix, expires_at, now }) {
      const token = `${prefix}${random(32)}`
      tokens.set(token, { grant: grant.id, expires_at, used_at: now })
      store()
      return token
    },
    of(provider, text, now) {
      const token = tokens.get(text)
      const grant = token && grants.get(token.grant)
      if (!grant) return ended.has(text) ? 'ended' : null
      if (grant.provider !== provider) return null
      return token.expires_at !== null && token.expires_at <= now ? 'ended' : grant
    },
    isRevoked: text => ended.has(text),
    touch(text, now) {
      const token = tokens.get(text)
      if (!token) return null
      const before = token.used_at
      token.used_at = now
      store()
      return before
    },
    together,
    revoke(revoked) {
      for (const grant of revoked) {
        grants.delete(grant.id)
        for (const [text, token] of tokens) {
          if (token.grant !== grant.id) continue
          tokens.delete(text)
          ended.add(text)
        }
        for (const listener of listeners) listener(grant)
      }
      store()
    },
    onRevoked: listener => void listeners.push(listener),
    list: () => [...grants.values()],
    reset() {
      codes = new Map()
      grants = new Map()
      tokens = new Map()
      ended.clear()
      store()
    },
  }
}

const random = (bytes = 16) => randomBytes(bytes).toString('hex')

function whyNot(
  code: Consent & { issued_at: number; is_used: boolean },
  { client_id, redirect_uri, verifier }: Redemption,
  now: number,
): Redeemed['refused'] {
  if (code.client_id !== client_id) return 'client'
  if (code.is_used) return 'used'
  if (now - code.issued_at > CODE_LIFE_MS) return 'late'
  if (redirect_uri !== undefined && code.redirect_uri !== redirect_uri) return 'redirect'
  if (code.challenge !== null && code.challenge !== hash('sha256', verifier ?? '', 'base64url'))
    return 'verifier'
  return null
}
