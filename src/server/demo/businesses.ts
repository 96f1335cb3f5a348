import { sql } from 'kysely'
import type { Db } from '#server/db/connect.ts'
import type { PlatformAccess } from '#server/resources/ad-accounts/import.ts'
import { refreshBusinesses } from '#server/resources/businesses/refresh.ts'
import { createSources } from '#server/resources/public-accounts/sources.ts'
import type { Vault } from '#server/vault.ts'

interface BusinessEffects {
  vault: Vault
  platforms: PlatformAccess
  time_zone: string
  now: Date
}

/**
 * Reads the businesses of the demo's login over the wire, and grants them to the manager: the director has
 * them anyway, the staff the accounts of those whom it serves.
 */
export async function insertBusinesses(db: Db, { vault, now, ...platform }: BusinessEffects): Promise<void> {
  const sources = createSources(db, { vault, environment: {} })
  const sourceOf = (login: number) => sources.of({ provider: 'meta', public_account: login })
  await refreshBusinesses(db, { ...platform, sourceOf }, now)
  await sql`
    insert into business_member (business, user_id, granted_by)
    select business.id, manager.id, director.id
    from business, users manager, users director
    where manager.username = 'manager' and director.username = 'director'
    on conflict do nothing`.execute(db)
}
