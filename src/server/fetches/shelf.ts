import type { Db } from '#server/db/connect.ts'
import type { Vault } from '#server/vault.ts'
import {
  claimFetch,
  findFetch,
  keepAnswer,
  noteUse,
  releaseFetch,
  trimAnswers,
  type Asker,
  type Found,
} from './queries.ts'

export interface ShelfSettings {
  vault: Vault
  /** Of all kept answers together. */
  most_bytes: number
  /** Sharing has failed and is done without. */
  onTrouble: (error: unknown) => void
}

/** Where answers are kept, sealed, as one run sees it. Nothing here fails: whoever cannot share asks for himself. */
export interface Shelf {
  /** Tells nothing of the question. */
  nameOf(question: unknown): Buffer
  find(name: Buffer): Promise<Found<Buffer> | { state: 'trouble' }>
  /** null: there was trouble. */
  claim(name: Buffer, how: { waits: boolean }): Promise<boolean | null>
  keep(name: Buffer, recorded: Buffer, good_for_minutes: number): Promise<void>
  release(name: Buffer, how: { is_too_large: boolean }): Promise<void>
}

export function openShelf(db: Db, { vault, most_bytes, onTrouble }: ShelfSettings): (asker: Asker) => Shelf {
  // Looked at again whenever this process has added a part of it: each process goes beyond it by no more than that.
  let added_bytes = most_bytes
  const orElse =
    <T>(instead: T) =>
    (error: unknown): T => {
      onTrouble(error)
      return instead
    }
  const makeRoom = async (bytes: number) => {
    added_bytes += bytes
    if (added_bytes < most_bytes / TRIMS) return
    added_bytes = 0
    await trimAnswers(db, most_bytes)
  }
  const opened = async (name: Buffer, found: Found): Promise<Found<Buffer>> => {
    if (found.state !== 'kept') return found
    const answer = vault.openBytes(found.answer, placeOf(name))
    await noteUse(db, name)
    return { ...found, answer }
  }
  return asker => ({
    nameOf: question => vault.nameOf(JSON.stringify([FORMAT, question])),
    find: async name =>
      await findFetch(db, name, asker)
        .then(found => opened(name, found))
        .catch(orElse({ state: 'trouble' as const })),
    claim: async (name, { waits }) => await claimFetch(db, name, { asker, waits }).catch(orElse(null)),
    async keep(name, recorded, good_for_minutes) {
      const answer = vault.seal(recorded, placeOf(name))
      await keepAnswer(db, name, { asker, answer, good_for_minutes })
        .then(() => makeRoom(answer.length))
        .catch(orElse(undefined))
    },
    release: async (name, how) => await releaseFetch(db, name, { asker, ...how }).catch(orElse(undefined)),
  })
}

/** What is kept in another form than this is not found any more. */
const FORMAT = 1
/** How often room is made while as much is added as there is room for. */
const TRIMS = 32

const placeOf = (name: Buffer) => `shared_fetch/${name.toString('base64url')}`
