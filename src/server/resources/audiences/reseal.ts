import type { Db } from '#server/db/connect.ts'
import { SealBroken, type Vault } from '#server/vault.ts'
import { openPacked, sealChunk } from './chunk.ts'
import { readChunk, replaceSealed, sealHeads } from './chunk-queries.ts'
import { resealed } from './erase.ts'
import { replaceSealedRows, sealedErasures } from './erasure-queries.ts'
import { resealMemberKey } from './member-keys.ts'

const AT_ONCE = 1000

/**
 * Seals everything again that holds hashes, or the key that they are compared with, and is not sealed with
 * the present key; returns how many those were, and how many no key opens. One at a time, so that it may be
 * interrupted anywhere.
 */
export async function resealMembers(
  db: Db,
  vault: Vault,
): Promise<{ sealed: number; already: number; unreadable: number }> {
  const done = { sealed: 0, already: 0, unreadable: 0 }
  const count = async (isOld: boolean, reseal: () => Promise<void>) => {
    if (!isOld) done.already += 1
    else if (await isOpened(reseal)) done.sealed += 1
    else done.unreadable += 1
  }
  if (!(await resealMemberKey(db, vault))) done.unreadable += 1
  for (let after = 0, heads = await sealHeads(db, { after, limit: AT_ONCE }); heads.length > 0;) {
    for (const { id, head } of heads) await count(vault.isOld(head), () => resealChunk(db, vault, id))
    after = heads.at(-1)?.id ?? after
    heads = await sealHeads(db, { after, limit: AT_ONCE })
  }
  for (const { id, sealed } of await sealedErasures(db))
    if (sealed)
      await count(vault.isOld(sealed), () =>
        replaceSealedRows(db, id, { before: sealed, after: resealed(vault, { id, sealed }) }),
      )
  return done
}

async function resealChunk(db: Db, vault: Vault, id: number): Promise<void> {
  const chunk = await readChunk(db, id)
  if (!chunk) return
  const after = sealChunk(vault, chunk, openPacked(vault, chunk).bytes)
  await replaceSealed(db, id, { before: chunk.sealed, after })
}

async function isOpened(reseal: () => Promise<void>): Promise<boolean> {
  try {
    await reseal()
    return true
  } catch (error) {
    if (error instanceof SealBroken) return false
    throw error
  }
}
