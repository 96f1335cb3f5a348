import { setImmediate } from 'node:timers/promises'
import type { Db } from '#server/db/connect.ts'
import type { Vault } from '#server/vault.ts'
import {
  claimRequests,
  findResponses,
  releaseClaim,
  storeResponse,
  touchResponse,
  trimResponses,
  type CacheEntry,
  type Requester,
} from './queries.ts'

export interface CacheSettings {
  vault: Vault
  /** Of all cached responses together. */
  most_bytes: number
  /** The cache has failed and is bypassed. */
  onError: (error: unknown) => void
}

/**
 * The sealed responses of platforms, as one run may read them. Nothing here throws: a run can always fetch
 * for itself.
 */
export interface ResponseCache {
  /** Reveals nothing of the request. */
  keyOf(request: unknown): Buffer
  find(key: Buffer): Promise<CacheEntry<Buffer> | { state: 'unavailable' }>
  /** null: the cache has failed. */
  claim(key: Buffer, how: { waits: boolean }): Promise<boolean | null>
  store(key: Buffer, recorded: Buffer, ttlMinutes: number): Promise<void>
  release(key: Buffer, how: { is_too_large: boolean }): Promise<void>
}

export function openResponseCache(
  db: Db,
  { vault, most_bytes, onError }: CacheSettings,
): (requester: Requester) => ResponseCache {
  // Trimmed whenever this process has added a share of it: each process exceeds the limit by no more than
  // that.
  let addedBytes = most_bytes
  const orElse =
    <T>(instead: T) =>
    (error: unknown): T => {
      onError(error)
      return instead
    }
  const trim = async (bytes: number) => {
    addedBytes += bytes
    if (addedBytes < most_bytes / TRIMS) return
    addedBytes = 0
    await trimResponses(db, most_bytes)
  }
  const unseal = async (key: Buffer, entry: CacheEntry): Promise<CacheEntry<Buffer>> => {
    if (entry.state !== 'cached') return entry
    const response = vault.openBytes(entry.response, contextOf(key))
    await touchResponse(db, key)
    return { ...entry, response }
  }
  return requester => {
    const find = together((keys: Buffer[]) => findResponses(db, keys, requester))
    const claim = together((keys: Buffer[]) => claimRequests(db, keys, { requester, waits: false }))
    const claimWaiting = together((keys: Buffer[]) => claimRequests(db, keys, { requester, waits: true }))
    return {
      keyOf: request => vault.nameOf(JSON.stringify([FORMAT, request])),
      find: async key =>
        await find(key)
          .then(entry => unseal(key, entry))
          .catch(orElse({ state: 'unavailable' as const })),
      claim: async (key, { waits }) => await (waits ? claimWaiting : claim)(key).catch(orElse(null)),
      async store(key, recorded, ttlMinutes) {
        const response = vault.seal(recorded, contextOf(key))
        await storeResponse(db, key, { requester, response, ttlMinutes })
          .then(() => trim(response.length))
          .catch(orElse(undefined))
      },
      release: async (key, how) =>
        await releaseClaim(db, key, { requester, ...how }).catch(orElse(undefined)),
    }
  }
}

/** What is called in one turn of the event loop becomes one call: a table and its total are read together. */
function together<In, Out>(work: (inputs: In[]) => Promise<Out[]>): (input: In) => Promise<Out> {
  let inputs: In[] = []
  let outputs: Promise<Out[]> | null = null
  const send = async () => {
    await setImmediate()
    outputs = null
    return await work(inputs.splice(0))
  }
  return async input => {
    const index = inputs.push(input) - 1
    outputs ??= send()
    const output = (await outputs)[index]
    if (output === undefined) throw new Error('a result is missing')
    return output
  }
}

/** Entries of another cache format than this are not found any more. */
const FORMAT = 1
/** How often the cache is trimmed while as much is added as it may hold. */
const TRIMS = 32

const contextOf = (key: Buffer) => `shared_fetch/${key.toString('base64url')}`
