import { sql } from 'kysely'
import { identities, isInternal, type Person } from '#shared/access.ts'
import type { Specialist } from '#shared/specialist.ts'
import type { Db } from '#server/db/connect.ts'
import { personName } from '#server/db/person-name.ts'
import { maySignIn } from '#server/http/session.ts'

/**
 * Whom messages to a client name: for each of their advertisers the member of the agency who serves it, of
 * several the one of the least role, then the longest here. Of many advertisers those of the first three.
 */
export async function listSpecialists(
  db: Db,
  client: Pick<Person, 'id' | 'identity'>,
): Promise<Specialist[]> {
  if (isInternal(client)) return []
  const rows = await db
    .selectFrom('advertiser_member as mine')
    .innerJoin('advertiser_member as theirs', 'theirs.advertiser', 'mine.advertiser')
    .innerJoin('users', 'users.id', 'theirs.user_id')
    .where('mine.user_id', '=', client.id)
    .where('users.identity', '<>', 'external_user')
    .where(maySignIn)
    .distinctOn('mine.advertiser')
    .select(['users.id', 'users.email', personName<string>('users').as('name')])
    .orderBy('mine.advertiser')
    .orderBy(sql`array_position(${[...identities]}::text[], users.identity)`)
    .orderBy('users.id')
    .execute()
  const distinct = new Map(rows.map(({ id, name, email }) => [id, { name, email }]))
  return [...distinct.values()].slice(0, MOST)
}

const MOST = 3
