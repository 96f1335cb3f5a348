import { sql, type RawBuilder } from 'kysely'
import { advertiserScope, type Person } from '#shared/access.ts'
import { MOST_OF_KIND, type NamedEntry } from '#shared/api/search.ts'
import { namedKinds, type NamedKind } from '#shared/named-kinds.ts'
import type { Db } from '#server/db/connect.ts'
import { beginningWith, containing } from '#server/db/list-terms.ts'
import { billsAdvertiser } from '#server/resources/people/billing-queries.ts'
import { advertiserIdsOf } from '#server/resources/people/queries.ts'

interface Source {
  table: string
  /** Left out: its advertiser is the one that it names; null: it has none. */
  advertiser?: null
  visible: (person: Person) => RawBuilder<boolean>
  /** Left out: found by its name alone. */
  text?: RawBuilder<string>
}

const ofOwnAdvertiser = (person: Person) =>
  advertiserScope[person.identity] === 'all'
    ? sql<boolean>`true`
    : sql<boolean>`named.advertiser in ${advertiserIdsOf(person)}`
const ofOwnAdvertiserOrNone = (person: Person) =>
  sql<boolean>`(named.advertiser is null or ${ofOwnAdvertiser(person)})`

const sources: Record<NamedKind, Source> = {
  advertisers: {
    table: 'advertiser',
    advertiser: null,
    visible: person => billsAdvertiser(person, 'named.id'),
    // As their own list is searched.
    text: sql`concat_ws(' ', named.name, named.legal_name, named.tax_id)`,
  },
  target_audiences: { table: 'target_audience', visible: ofOwnAdvertiser },
  links: { table: 'link', visible: ofOwnAdvertiser },
  sites: { table: 'site', visible: ofOwnAdvertiser },
  publishers: { table: 'publisher', advertiser: null, visible: () => sql`true` },
  images: { table: 'image', visible: ofOwnAdvertiserOrNone },
  files: { table: 'file', visible: ofOwnAdvertiserOrNone },
}

/** A few of each kind by name, in one statement: how many kinds there are costs no further request. */
export async function findNamed(db: Db, person: Person, typed: string): Promise<NamedEntry[]> {
  const found = namedKinds.map(kind => sql`(${foundOf(kind, person, typed)})`)
  const { rows } = await sql<NamedEntry>`${sql.join(found, sql` union all `)}`.execute(db)
  return rows
}

function foundOf(kind: NamedKind, person: Person, typed: string) {
  const { table, advertiser, visible, text = sql`named.name` } = sources[kind]
  const owner = advertiser === null ? sql`null` : sql`advertiser.name`
  const join = advertiser === null ? sql`` : sql`left join advertiser on advertiser.id = named.advertiser`
  return sql`select ${kind}::text as kind, named.id, named.name, ${owner} as advertiser_name
    from ${sql.table(table)} named ${join}
    where ${visible(person)} and ${text} ilike ${containing(typed)}
    order by named.name ilike ${beginningWith(typed)} desc, lower(named.name), named.id
    limit ${MOST_OF_KIND}`
}
