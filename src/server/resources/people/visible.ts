import type { Person } from '#shared/access.ts'
import type { Db } from '#server/db/connect.ts'
import { refuse } from '#server/http/refusal.ts'
import { findPerson, type PersonRow } from './queries.ts'

/** The person; refused when the asking one may not see them. */
export async function visiblePerson(db: Db, viewer: Person, id: number): Promise<PersonRow> {
  const person = await findPerson(db, viewer, id)
  if (!person) throw refuse('not_found')
  return person
}
