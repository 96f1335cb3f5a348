import { z } from 'zod'
import type { TokenCache } from '#server/connectors/connector.ts'

/** What can be sent in a header. */
export const AccessToken = z.string().regex(/^[\x21-\x7e]+$/)

/** A token is not used in its last minute: a request under way must not outlive it. */
const MARGIN_MS = 60_000

/** Short-lived tokens in this process's memory. `key` identifies the login without revealing it. */
export function createTokenCache(now: () => Date): TokenCache {
  const stored = new Map<string, { token: string; expires_at: number }>()
  const pending = new Map<string, Promise<string>>()
  return {
    get(key, mint) {
      const known = stored.get(key)
      if (known && known.expires_at > now().getTime()) return Promise.resolve(known.token)
      const underWay = pending.get(key)
      if (underWay) return underWay
      const minting = mint()
        .then(({ token, expires_in_s }) => {
          stored.set(key, { token, expires_at: now().getTime() + expires_in_s * 1000 - MARGIN_MS })
          return token
        })
        .finally(() => pending.delete(key))
      pending.set(key, minting)
      return minting
    },
    drop(key, token) {
      if (stored.get(key)?.token === token) stored.delete(key)
    },
  }
}
