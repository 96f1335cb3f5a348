import type { Link } from '#shared/api/links.ts'
import type { Db } from '#server/db/connect.ts'
import { refuse } from '#server/http/refusal.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { presentLink } from './present.ts'
import { findLink } from './queries.ts'

/** A link as the person reads it; refused when it is none of theirs. */
export async function showLink(db: Db, user: SignedInUser, id: number): Promise<Link> {
  const row = await findLink(db, user, id)
  if (!row) throw refuse('not_found')
  return presentLink(user, row)
}
