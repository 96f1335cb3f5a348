import { sql, type Insertable } from 'kysely'
import type { z } from 'zod'
import { advertiserScope, type Person } from '#shared/access.ts'
import type { LinkPresetQuery } from '#shared/api/links.ts'
import type { LinkPresetFacts } from '#shared/links/presets.ts'
import type { Db } from '#server/db/connect.ts'
import { containing, directionOf } from '#server/db/list-terms.ts'
import { personName } from '#server/db/person-name.ts'
import type { LinkPresetTable } from '#server/db/tables/links.ts'
import type { Trx } from '#server/db/transaction.ts'
import { advertiserIdsOf } from '#server/resources/people/queries.ts'

export type PresetFilter = z.output<typeof LinkPresetQuery>

/** One page of the agency's presets and those of a person's advertisers. */
export async function listPresets(db: Db, person: Person, query: PresetFilter) {
  let found = visible(db, person)
  if (query.search) found = found.where('link_preset.name', 'ilike', containing(query.search))
  if (query.platform !== undefined) found = found.where('link_preset.platform', '=', query.platform)
  const { advertiser } = query
  if (advertiser !== undefined)
    found = found.where(eb =>
      eb.or([eb('link_preset.advertiser', 'is', null), eb('link_preset.advertiser', '=', advertiser)]),
    )
  const { count } = await found.select(eb => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const direction = directionOf(query.ordering)
  const field = query.ordering.replace('-', '')
  const rows = await named(found)
    .orderBy(field === 'name' ? sql`lower(link_preset.name)` : sql.ref(`link_preset.${field}`), direction)
    .orderBy('link_preset.id', direction)
    .limit(query.limit)
    .offset(query.offset)
    .execute()
  return { count, rows }
}

const visible = (db: Db, person: Person) =>
  db
    .selectFrom('link_preset')
    .$if(advertiserScope[person.identity] !== 'all', query =>
      query.where(eb =>
        eb.or([
          eb('link_preset.advertiser', 'is', null),
          eb('link_preset.advertiser', 'in', advertiserIdsOf(person)),
        ]),
      ),
    )

const named = (found: ReturnType<typeof visible>) =>
  found
    .leftJoin('advertiser', 'advertiser.id', 'link_preset.advertiser')
    .leftJoin('users as maker', 'maker.id', 'link_preset.created_by')
    .selectAll('link_preset')
    .select('advertiser.name as advertiser_name')
    .select(personName('maker').as('created_by_name'))

export const findPreset = (db: Db, person: Person, id: number) =>
  named(visible(db, person)).where('link_preset.id', '=', id).executeTakeFirst()
export type PresetRow = NonNullable<Awaited<ReturnType<typeof findPreset>>>

export const lockPreset = (trx: Trx, person: Person, id: number) =>
  visible(trx, person)
    .selectAll('link_preset')
    .where('link_preset.id', '=', id)
    .forUpdate()
    .executeTakeFirst()

/**
 * By their ids, whoever may see them: whose they are is checked by rule. Until the transaction ends none of
 * them is deleted.
 */
export async function presetsById(trx: Trx, ids: readonly number[]) {
  if (ids.length === 0) return new Map<number, never>()
  const rows = await trx
    .selectFrom('link_preset')
    .select(['id', 'advertiser', 'platform', 'values', 'locked', 'allowed'])
    .where('id', 'in', [...ids])
    .forKeyShare()
    .execute()
  return new Map(rows.map(row => [row.id, row]))
}

type Written = LinkPresetFacts & Pick<Insertable<LinkPresetTable>, 'name'>

/** A name that is taken is refused by the database. */
export async function insertPreset(
  trx: Trx,
  { now, ...facts }: Written & { advertiser: number | null; created_by: number; now: Date },
): Promise<number> {
  const { id } = await trx
    .insertInto('link_preset')
    .values({ ...facts, ...asJson(facts), created_at: now, last_modified_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function updatePreset(
  trx: Trx,
  id: number,
  { now, ...facts }: Written & { now: Date },
): Promise<void> {
  await trx
    .updateTable('link_preset')
    .set(eb => ({ ...facts, ...asJson(facts), version: eb('version', '+', 1), last_modified_at: now }))
    .where('id', '=', id)
    .execute()
}

const asJson = ({ values, locked, allowed }: LinkPresetFacts) => ({
  values: JSON.stringify(values),
  locked: [...locked],
  allowed: JSON.stringify(allowed),
})

/** Links keep what it has given them. */
export async function deletePreset(trx: Trx, id: number): Promise<void> {
  await trx.deleteFrom('link_preset').where('id', '=', id).execute()
}
