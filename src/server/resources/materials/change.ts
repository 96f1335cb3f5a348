import type { z } from 'zod'
import { isMakerOrManager } from '#shared/access.ts'
import type { UpdateMaterial } from '#shared/api/materials.ts'
import type { Db } from '#server/db/connect.ts'
import type { Trx } from '#server/db/transaction.ts'
import { endingsOf, nameOfKind, storedName, withEnding } from '#server/files/file-name.ts'
import { refuse } from '#server/http/refusal.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { changedFields } from '#server/resources/audit/changed-fields.ts'
import { writeAudit } from '#server/resources/audit/queries.ts'
import { countLinks, deleteMaterial, lockMaterial, updateMaterial, type MaterialKind } from './queries.ts'
import { distinct } from './upload.ts'

interface Change {
  id: number
  user: SignedInUser
  now: Date
  /** As a person reads it, for one who has an older version. */
  show(db: Db): Promise<unknown>
}

export async function changeMaterial(
  trx: Trx,
  kind: MaterialKind,
  { body: { version, ...changes }, ...change }: Change & { body: z.output<typeof UpdateMaterial> },
): Promise<void> {
  const { id, user, now } = change
  const before = await lockVersion(trx, kind, { ...change, version })
  const own = storedName(changes.name ?? before.name)
  if (own === '') throw refuse('invalid', { fields: { name: ['field_required'] } })
  const name = nameFor(kind, own, before)
  if (name === null) throw refuse('invalid', { fields: { name: ['file_type'] } })
  const after = { name, tags: distinct(changes.tags ?? before.tags) }
  await updateMaterial(trx, kind, { id, ...after, now })
  const detail = { name: before.name, changes: changedFields(before, after, ['tags']) }
  await writeAudit(
    trx,
    { actor: user.id, action: `${kind}.change`, object: kind, object_id: id, detail },
    now,
  )
}

/** An image has its ending in any case; other files where theirs would be wrong. null: see nameOfKind. */
function nameFor(kind: MaterialKind, name: string, { mime }: { mime: string }): string | null {
  const endings = kind === 'image' ? endingsOf.get(mime) : undefined
  return endings ? withEnding(name, endings) : nameOfKind(name, { mime })
}

/** One that no link has; by who has uploaded it, or a manager. */
export async function removeMaterial(
  trx: Trx,
  kind: MaterialKind,
  { version, ...change }: Change & { version: number },
): Promise<void> {
  const { id, user, now } = change
  const { name, advertiser, tags, size, uploaded_by } = await lockVersion(trx, kind, { ...change, version })
  if (!isMakerOrManager(user, { created_by: uploaded_by })) throw refuse('forbidden')
  const links = await countLinks(trx, kind, id)
  if (links > 0) throw refuse('in_use', { extra: { by: { links } } })
  await deleteMaterial(trx, kind, id)
  const detail = { name, advertiser, tags: tags.length, size }
  await writeAudit(
    trx,
    { actor: user.id, action: `${kind}.delete`, object: kind, object_id: id, detail },
    now,
  )
}

async function lockVersion(
  trx: Trx,
  kind: MaterialKind,
  { id, user, version, show }: Change & { version: number },
) {
  const row = await lockMaterial(trx, kind, { person: user, id })
  if (!row) throw refuse('not_found')
  if (row.version !== version) throw refuse('conflict', { extra: { [kind]: await show(trx) } })
  return row
}
