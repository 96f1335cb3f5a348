import { randomUUID } from 'node:crypto'
import * as fc from 'fast-check'
import { sql } from 'kysely'
import { Client } from 'pg'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { z } from 'zod'
import {
  advertiserScope,
  billingScope,
  identities,
  mayReach,
  isInternal,
  isSupportEditor,
  peopleScope,
  reportAccess,
  type Person,
} from '#shared/access.ts'
import { csvOf } from '#server/http/csv.ts'
import { route } from '#server/http/route.ts'
import { testApi } from '#server/http/testing/api.ts'
import { connect, type Db } from './connect.ts'
import { migrate } from './migrate.ts'
import { isReaderReady, readAs, readerOf, READER } from './reader.ts'
import { createTestDatabase, testDatabase } from './testing/database.ts'

const { db } = await testDatabase()

/** What is done is undone. */
async function inWorld<T>(work: (trx: Db) => Promise<T>): Promise<T> {
  const undo = new Error('undone')
  let response: { value: T } | null = null
  await db
    .transaction()
    .execute(async trx => {
      response = { value: await work(trx) }
      throw undo
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error
    })
  if (response === null) throw undo
  return (response as { value: T }).value
}

/** As the person; afterwards as the owner of the tables again. */
async function idsVisibleTo(trx: Db, person: Person, table: string): Promise<number[]> {
  await readAs(trx, person)
  const key = keys[table] ?? 'id'
  const { rows } = await sql<{ id: number }>`
    select ${sql.ref(key)} as id from ${sql.table(table)} order by 1`.execute(trx)
  await sql`select set_config('role', 'none', true)`.execute(trx)
  return rows.map(({ id }) => id)
}

const keys: Record<string, string> = {
  report_share: 'report',
  business_member: 'business',
  report_account: 'report',
  report_favourite: 'report',
  report_version: 'report',
  run: 'report',
  filter_value: 'ad_account',
  spend_account: 'ad_account',
  spend_day: 'ad_account',
  spend_month: 'ad_account',
  audience_upload: 'audience',
  erasure_account: 'erasure',
  support_addition: 'issue',
  support_image: 'issue',
}

describe('what the database shows a person', () => {
  it('is what the policy of the code lets them see, in any random data', async () => {
    await fc.assert(
      fc.asyncProperty(datasets, dataset =>
        inWorld(async trx => {
          await build(trx, dataset)
          for (const person of dataset.people.filter(({ identity }) => identity !== 'superuser'))
            for (const [table, expected] of Object.entries(visible(dataset, person)))
              expect([person, table, await idsVisibleTo(trx, person, table)]).toEqual([
                person,
                table,
                expected,
              ])
        }),
      ),
      {
        numRuns: process.env['LONG'] ? 500 : 12,
      },
    )
  })

  it('is empty in a transaction without a person', async () => {
    await inWorld(async trx => {
      for (const dataset of fc.sample(datasets, { numRuns: 1, seed: 4 })) await build(trx, dataset)
      const tables = await readableTables()
      await sql`select set_config('role', ${READER}, true)`.execute(trx)
      for (const table of tables) {
        const { rows } = await sql`select 1 from ${sql.table(table)}`.execute(trx)
        expect([table, rows]).toEqual([table, []])
      }
    })
  })

  it('is read by a role that writes nothing but the trail, and has no table without a policy', async () => {
    const { rows } = await sql<{ name: string }>`
      select c.relname as name from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v', 'm', 'p') and c.relname <> 'audit' and (
        has_table_privilege(${READER}, c.oid, 'insert, update, delete, truncate')
        or has_any_column_privilege(${READER}, c.oid, 'insert, update')
        or (has_any_column_privilege(${READER}, c.oid, 'select') and not c.relrowsecurity))`.execute(db)
    expect(rows).toEqual([])
  })

  it('is recorded in the trail in the name of the reading person only', async () => {
    const person = { id: 1, identity: 'staff' as const, department: 1 }
    const note = (actor: number) => (trx: Db) =>
      readAs(trx, person).then(() =>
        trx.insertInto('audit').values({ actor, action: 'report.export' }).execute(),
      )
    await expect(inWorld(note(2))).rejects.toThrow('row-level security')
    await inWorld(note(1))
    await expect(readerOf(db, person).selectFrom('audit').select('id').execute()).rejects.toThrow(
      'permission',
    )
  })

  it('has no secrets in it', async () => {
    const secret = ['password_link', 'public_account', 'refresh_token', 'setting', 'sign_in_failure']
    secret.push('audience_chunk', 'audience_upload_batch', 'suppressed_member')
    expect((await readableTables()).filter(table => secret.includes(table))).toEqual([])
    const person = { id: 1, identity: 'director' as const, department: 1 }
    await expect(readerOf(db, person).selectFrom('users').select('password_hash').execute()).rejects.toThrow(
      'permission denied',
    )
  })
})

async function readableTables(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and has_any_column_privilege(${READER}, c.oid, 'select')
    order by 1`.execute(db)
  return rows.map(({ name }) => name)
}

interface Dataset {
  people: Person[]
  /** Of the person at this index, for the advertiser at that one. */
  members: [number, number][]
  accounts: (number | null)[]
  reports: { owner: number; is_deleted: boolean; copied_by: number | null }[]
  shares: { report: number; user: number; access: 'viewer' | 'editor'; by: number }[]
  issues: { reporter: number; report: number | null }[]
  /** Of the business at this index, to the person at that one. */
  grants: [number, number][]
}

/** Of each the accounts at these indexes. */
const BUSINESSES: readonly number[][] = [[0, 1], [2], [3]]

const PEOPLE = 7
const ADVERTISERS = 3
const REPORTS = 8
const indexBelow = (most: number) => fc.nat({ max: most - 1 })

const datasets: fc.Arbitrary<Dataset> = fc.record({
  people: fc
    .array(
      fc.record({
        identity: fc.constantFrom(...identities, 'external_user' as const),
        department: fc.option(fc.constantFrom(2, 3, 6, 7)),
      }),
      { minLength: PEOPLE, maxLength: PEOPLE },
    )
    .map(people => people.map((person, at) => ({ ...person, id: at + 1 }))),
  members: fc.uniqueArray(fc.tuple(indexBelow(PEOPLE), indexBelow(ADVERTISERS)), {
    maxLength: 9,
    selector: String,
  }),
  accounts: fc.array(fc.option(indexBelow(ADVERTISERS)), { minLength: 4, maxLength: 4 }),
  reports: fc.array(
    fc.record({
      owner: indexBelow(PEOPLE),
      is_deleted: fc.boolean(),
      copied_by: fc.option(indexBelow(PEOPLE), { freq: 2 }),
    }),
    { minLength: REPORTS, maxLength: REPORTS },
  ),
  shares: fc.uniqueArray(
    fc.record({
      report: indexBelow(REPORTS),
      user: indexBelow(PEOPLE),
      access: fc.constantFrom('viewer' as const, 'editor' as const),
      by: indexBelow(PEOPLE),
    }),
    { maxLength: 10, selector: ({ report, user }) => `${report} ${user}` },
  ),
  issues: fc.array(fc.record({ reporter: indexBelow(PEOPLE), report: fc.option(indexBelow(REPORTS)) }), {
    maxLength: 3,
  }),
  grants: fc.uniqueArray(fc.tuple(indexBelow(BUSINESSES.length), indexBelow(PEOPLE)), {
    maxLength: 4,
    selector: String,
  }),
})

/** The id of each is its index in the data, from 1. */
async function build(trx: Db, dataset: Dataset): Promise<void> {
  const insert = async (table: string, rows: readonly object[]) => {
    if (rows.length > 0)
      await sql`
        insert into ${sql.table(table)} (${sql.join(Object.keys(rows[0] ?? {}).map(name => sql.ref(name)))})
        overriding system value
        select ${sql.join(Object.keys(rows[0] ?? {}).map(name => sql`row.${sql.ref(name)}`))}
        from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::jsonb) row`.execute(
        trx,
      )
  }
  const { people, members, accounts, reports, shares, issues, grants } = dataset
  await insert(
    'users',
    people.map(({ id, identity, department }) => ({
      id,
      identity,
      department,
      username: `person ${id}`,
      full_name: '',
      user_type: 1,
      plan: 0,
      position: '',
      email_confirmed: false,
      contacts: [],
      company_extension: '',
      language: 'en',
      theme: 'auto',
      is_active: 1,
      employment_status: 1,
      created_at: AT,
      last_modified_at: AT,
      mail_notices: 'all',
    })),
  )
  const advertisers = Array.from({ length: ADVERTISERS }, (_, at) => at + 1)
  await sql`
    insert into advertiser (id, name) overriding system value
    select id, 'client ' || id from unnest(${advertisers}::bigint[]) id`.execute(trx)
  await insert(
    'advertiser_member',
    members.map(([user, of]) => ({ user_id: user + 1, advertiser: of + 1 })),
  )
  await insert(
    'ad_account',
    accounts.map((of, at) => ({
      id: at + 1,
      advertiser: of === null ? null : of + 1,
      channel: 'fb',
      provider: 'meta',
      name: 'x',
      external_id: String(at),
      currency: 'TWD',
      timezone: 'UTC',
      status: 'enabled',
      created_at: AT,
      last_modified_at: AT,
    })),
  )
  await insert(
    'filter_value',
    accounts.map((_, at) => ({
      ad_account: at + 1,
      dimension: 'campaign_name',
      value: 'x',
      last_seen_at: AT,
    })),
  )
  await insert(
    'spend_day',
    accounts.map((_, at) => ({ ad_account: at + 1, day: '2026-01-01' })),
  )
  await insert(
    'business',
    BUSINESSES.map((_, at) => ({ id: at + 1, external_id: String(at), name: 'x', created_at: AT })),
  )
  await buildBusinessAccounts(trx)
  await insert(
    'business_member',
    grants.map(([business, user]) => ({ business: business + 1, user_id: user + 1, created_at: AT })),
  )
  await buildBilling(trx)
  await insert(
    'folder',
    people.map(({ id }) => ({ id, owner: id, name: 'x', layer: 1, created_at: AT, last_modified_at: AT })),
  )
  await insert(
    'report',
    reports.map(({ owner, is_deleted, copied_by }, at) => ({
      id: at + 1,
      owner: owner + 1,
      copied_by: copied_by === null ? null : copied_by + 1,
      name: 'x',
      deleted_at: is_deleted ? AT : null,
      version: 1,
      spreadsheet_url: '',
      sheet_name: '',
      start_cell: 'A1',
      timezone: 'UTC',
      header_language: 'en',
      arrangement: 'joined',
      fill_zero: false,
      dimensions: [],
      channels: [],
      dynamic_range: 1,
      history_extended: false,
      update_frequency: 0,
      update_time: '09:00',
      created_at: AT,
      last_modified_at: AT,
    })),
  )
  await insert(
    'report_account',
    reports.map((_, at) => ({ report: at + 1, block: 0, ad_account: 1 })),
  )
  await insert(
    'report_version',
    reports.map((_, at) => ({ report: at + 1, version: 1, settings: {}, changed: [], saved_at: AT })),
  )
  await insert(
    'report_share',
    shares.map(({ report, user, access, by }) => ({
      report: report + 1,
      user_id: user + 1,
      access,
      shared_by: by + 1,
      created_at: AT,
    })),
  )
  await insert(
    'report_favourite',
    shares.map(({ report, user }) => ({ report: report + 1, user_id: user + 1, created_at: AT })),
  )
  await insert(
    'report_view',
    people.map(({ id }) => ({ id, owner: id, name: 'x', filters: {}, created_at: AT, last_modified_at: AT })),
  )
  await sql`
    insert into run (id, report, owner, trigger, status) select gen_random_uuid(), id, owner, 'click', 'completed' from report`.execute(
    trx,
  )
  await insert(
    'support_issue',
    issues.map(({ reporter, report }, at) => ({
      id: at + 1,
      reporter: reporter + 1,
      report: report === null ? null : report + 1,
      description: 'x',
      report_type: 'others',
      status: 'open',
      grants_history: false,
      occurred_at: AT,
      created_at: AT,
      last_modified_at: AT,
    })),
  )
}

/** Under the ids of the ad accounts. */
async function buildBusinessAccounts(trx: Db): Promise<void> {
  const rows = BUSINESSES.flatMap((of, at) => of.map(account => ({ business: at + 1, account })))
  await sql`
    insert into business_ad_account (id, business, account, name, relation, status, currency, timezone, listed_at)
    overriding system value
    select account + 1, business, account::text, 'x', 'client', 1, 'TWD', 'UTC', now()
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) row (business bigint, account bigint)`.execute(
    trx,
  )
}

/** One row of each table for every advertiser, under its id, and a month of every account. */
async function buildBilling(trx: Db): Promise<void> {
  for (const statement of [
    sql`insert into fee_agreement (id, advertiser, currency, from_month, tiers) overriding system value
      select id, id, 'TWD', '2026-01-01', '[]' from advertiser`,
    sql`insert into quotation (id, advertiser, title, owner, currency, tax, media_billing, language, payment_terms)
      overriding system value select id, id, 'x', 1, 'TWD', 'tw_vat', 'agency', 'en', '{}' from advertiser`,
    sql`insert into quotation_line (id, quotation, position, "start", "end", pricing, budget, media, fee)
      overriding system value select id, id, 1, '2026-01-01', '2026-01-02', 'budget', 1, 1, 0 from quotation`,
    sql`insert into quotation_line_account (line, ad_account) select id, 1 from quotation_line`,
    sql`insert into quotation_file (quotation, kind, name, mime, sha256, bytes) select id, 'pdf', 'x', 'x', '', '' from quotation`,
    sql`insert into payment (id, number, quotation, advertiser, untaxed, taxable, tax_amount, amount, currency, issue_on, due_on)
      overriding system value select id, id::text, id, id, 0, 0, 0, 0, 'TWD', '2026-01-01', '2026-01-01' from quotation`,
    sql`insert into receipt (id, payment, "on", amount, method)
      overriding system value select id, id, '2026-01-01', 0, 'cash' from payment`,
    sql`insert into spend_month (ad_account, month, known, origin, as_of)
      select id, '2026-01-01', 'none', 'platform', now() from ad_account`,
    sql`insert into adjustment (id, advertiser, channel, month, concerns_month, currency, amount, reason)
      overriding system value select id, id, 'fb', '2026-01-01', '2026-01-01', 'TWD', 1, 'credit' from advertiser`,
    sql`insert into statement (id, advertiser, month, currency, media, fee, untaxed, taxable, tax_amount, total, tax, media_billing, frozen)
      overriding system value select id, id, '2026-01-01', 'TWD', 0, 0, 0, 0, 0, 0, 'exempt', 'agency', '{}' from advertiser`,
  ])
    await statement.execute(trx)
  await buildMeanings(trx)
  await buildAudiences(trx)
}

async function buildAudiences(trx: Db): Promise<void> {
  for (const statement of [
    sql`insert into site (id, advertiser, name, url) overriding system value select id, id, 'x', 'x' from advertiser`,
    sql`insert into audience (id, advertiser, kind, name) overriding system value select id, id, 'website', 'x' from advertiser`,
    sql`insert into audience_upload (id, audience, session, action, columns, created_at, last_modified_at)
      select gen_random_uuid(), id, gen_random_uuid(), 'add', '{email}', now(), now() from advertiser`,
    sql`insert into audience_share (id, audience, ad_account, mode, state, created_at, last_modified_at)
      overriding system value select id, id, 1, 'home', 'ready', now(), now() from advertiser`,
    sql`insert into erasure (id, advertiser, columns, rows, created_at)
      overriding system value select id, id, '{email}', 1, now() from advertiser`,
    sql`insert into erasure_account (erasure, ad_account) select id, 1 from erasure`,
  ])
    await statement.execute(trx)
}

/** The agency's own after those of the advertisers. */
async function buildMeanings(trx: Db): Promise<void> {
  const scopes = sql`(select id, id as advertiser from advertiser union all select max(id) + 1, null from advertiser) scope`
  for (const statement of [
    sql`insert into calculated_metric (id, advertiser, name, name_zh, formula, unit, decimals)
      overriding system value select id, advertiser, 'x', 'x', 'cost', 'money', 2 from ${scopes}`,
    sql`insert into metric_label (id, advertiser, metric, label, label_zh)
      overriding system value select id, advertiser, 'cost', 'x', 'x' from ${scopes}`,
    sql`insert into conversion_definition (id, advertiser, name, name_zh, entries)
      overriding system value select id, id, 'x', 'x', '[]' from advertiser`,
  ])
    await statement.execute(trx)
}

const AT = '2026-01-01T00:00:00Z'

/** By shared/access.ts: the ids of what a person sees, by table. */
function visible(dataset: Dataset, person: Person): Record<string, number[]> {
  const { people, members, accounts, shares } = dataset
  const reports = dataset.reports.map((report, at) => ({
    ...report,
    id: at + 1,
    owner: report.owner + 1,
    copied_by: report.copied_by === null ? null : report.copied_by + 1,
  }))
  const shareOf = ({ id }: { id: number }, user: number) =>
    shares.find(share => share.report + 1 === id && share.user + 1 === user) ?? null
  const issues = dataset.issues.filter(
    ({ reporter }) => reporter + 1 === person.id || isSupportEditor(person),
  )
  const ofIssues = new Set(isSupportEditor(person) ? issues.map(({ report }) => (report ?? -1) + 1) : [])
  const shared = reports.filter(report => shareOf(report, person.id))
  const readable = reports.filter(report => {
    const access = reportAccess(person, report, shareOf(report, person.id))
    return access !== null || ofIssues.has(report.id)
  })

  const scope = advertiserScope[person.identity]
  const counts = (user: number) => {
    const member = people[user]
    if (!member) return false
    const isColleague = member.department === person.department && isInternal(member)
    return member.id === person.id || (scope === 'department' && person.department !== null && isColleague)
  }
  const own = new Set(members.filter(([user]) => counts(user)).map(([, of]) => of))
  const used = (of: number | null) => scope === 'all' || (of !== null && own.has(of))
  const usable = accounts.flatMap((of, at) => (used(of) ? [at + 1] : []))

  const peers = members.flatMap(([user, of]) => (own.has(of) && scope === 'member' ? [user + 1] : []))
  const known = new Set([
    person.id,
    ...peers,
    ...shared.flatMap(report => [report.owner, report.copied_by, (shareOf(report, person.id)?.by ?? -1) + 1]),
    ...reports.flatMap(report =>
      report.owner === person.id && !report.is_deleted ? [report.copied_by] : [],
    ),
  ])
  const idsOf = (rows: readonly { id: number }[]) => rows.map(({ id }) => id)
  return {
    report: idsOf(readable),
    run: idsOf(readable),
    report_account: idsOf(readable),
    report_version: idsOf(readable),
    report_share: idsOf(reports.filter(report => shareOf(report, person.id))),
    report_favourite: idsOf(shared),
    report_view: [person.id],
    folder: [person.id],
    ...visibleBilling(dataset, person, used),
    ad_account: usable,
    ...visibleBusinesses(dataset, person, usable),
    filter_value: usable,
    spend_day: usable,
    users: idsOf(people.filter(({ id }) => peopleScope[person.identity] === 'all' || known.has(id))),
    support_issue: dataset.issues.flatMap((issue, at) => (issues.includes(issue) ? [at + 1] : [])),
  }
}

/** By a grant or an own account; by a grant an internal person sees all of it, a client their own. */
function visibleBusinesses(
  { grants }: Dataset,
  person: Person,
  usable: readonly number[],
): Record<string, number[]> {
  const isAll = advertiserScope[person.identity] === 'all'
  const granted = (at: number) => grants.some(([of, user]) => of === at && user + 1 === person.id)
  const holds = (at: number) => BUSINESSES[at]?.some(account => usable.includes(account + 1)) ?? false
  const has = (at: number) => isAll || granted(at) || (isInternal(person) && holds(at))
  return {
    business: BUSINESSES.flatMap((_, at) => (has(at) ? [at + 1] : [])),
    business_ad_account: BUSINESSES.flatMap((of, at) =>
      of.flatMap(account => {
        const isVisible = usable.includes(account + 1) || (isInternal(person) && granted(at))
        return isAll || (has(at) && isVisible) ? [account + 1] : []
      }),
    ),
    business_member: grants
      .filter(([, user]) => isAll || user + 1 === person.id)
      .map(([of]) => of + 1)
      .toSorted((one, other) => one - other),
  }
}

/** What is asked for is every advertiser's for finance; spending is open to directors and finance alone. */
function visibleBilling(
  { accounts }: Dataset,
  person: Person,
  used: (of: number) => boolean,
): Record<string, number[]> {
  const advertisers = Array.from({ length: ADVERTISERS }, (_, at) => at + 1)
  const customers = advertisers.filter(id => billingScope(person) === 'all' || used(id - 1))
  const billed = isInternal(person) ? customers : []
  const seesSpending = isInternal(person) && mayReach(person, 'director_or_finance')
  const meant = advertisers.filter(id => used(id - 1))
  const ofAudiences = ['site', 'audience', 'audience_upload', 'audience_share', 'erasure', 'erasure_account']
  const tables = ['fee_agreement', 'quotation', 'quotation_line', 'payment', 'receipt']
  return {
    advertiser: customers,
    calculated_metric: [...meant, ADVERTISERS + 1],
    metric_label: [...meant, ADVERTISERS + 1],
    conversion_definition: meant,
    ...Object.fromEntries(ofAudiences.map(table => [table, meant])),
    ...Object.fromEntries(tables.map(table => [table, billed])),
    adjustment: seesSpending ? advertisers : [],
    statement: seesSpending ? advertisers : [],
    spend_month: seesSpending ? accounts.map((_, at) => at + 1) : [],
  }
}

describe('a query that lacks its condition', async () => {
  const Ids = z.array(z.number())
  const forgetful = (path: string) => ({
    summary: 'All reports of everybody.',
    level: 'external_user' as const,
    reply: Ids,
    path,
  })
  const everything = async (effects: { db: Db }) =>
    (await effects.db.selectFrom('report').select('id').orderBy('id').execute()).map(({ id }) => id)
  const { signedIn, db: all } = await testApi({
    routes: [
      route('GET', '/api/forgets/', {
        ...forgetful('/api/forgets/'),
        run: everything,
        csv: async effects => {
          const batches = async function* () {
            yield await everything(effects)
          }
          const header = { en: 'ID', 'zh-TW': '編號' }
          return csvOf({ en: 'All', 'zh-TW': '全部' }, [{ header, cell: id => id }], batches())
        },
      }),
      route('GET', '/api/forgets-alone/', {
        ...forgetful('/api/forgets-alone/'),
        transaction: 'own',
        run: everything,
      }),
    ],
  })
  const [a, b, superuser] = [
    await signedIn('external_user'),
    await signedIn('external_user'),
    await signedIn('superuser'),
  ]
  const reportOf = async (owner: number) => {
    const { rows } = await sql<{ id: number }>`
      insert into report (owner, name, timezone, header_language, arrangement, fill_zero, dimensions, channels, dynamic_range, update_frequency)
      values (${owner}, ${randomUUID()}, 'UTC', 'en', 'joined', false, '[]', '[]', 1, 0) returning id`.execute(
      all,
    )
    return rows[0]?.id ?? 0
  }
  const [of_a, of_b] = [await reportOf(a.user.id), await reportOf(b.user.id)]

  it.each(['/api/forgets/', '/api/forgets-alone/'])(
    'returns each person their own rows from %s',
    async path => {
      for (const [who, ids] of [
        [a, [of_a]],
        [b, [of_b]],
        [superuser, [of_a, of_b]],
      ] as const)
        expect((await who.get(path)).body).toEqual(ids)
    },
  )

  it('lets each person write only their own rows into a table', async () => {
    const { body } = await a.get('/api/forgets/?format=csv')
    expect(String(body).split('\r\n').slice(1, -1)).toEqual([String(of_a)])
  })

  it('leaves nothing of one person behind for the next on the same session', async () => {
    const responses = await Promise.all(
      Array.from({ length: 60 }, async (_, n) => [n % 2, (await (n % 2 ? a : b).get('/api/forgets/')).body]),
    )
    expect(responses).toEqual(Array.from({ length: 60 }, (_, n) => [n % 2, [n % 2 ? of_a : of_b]]))
    const { rows } = await sql`
      select current_setting('role') as role, coalesce(current_setting('sheetcast.person', true), '') as person`.execute(
      all,
    )
    expect(rows).toEqual([{ role: 'none', person: '' }])
  })
})

describe('an owner who may make no roles', async () => {
  const server = new URL(inject('test_server_url'))
  const owner = `owner_${randomUUID().slice(0, 8)}`
  const { url, drop } = await createTestDatabase()
  const admin = new Client({ connectionString: inject('test_server_url') })
  await admin.connect()
  await admin.query(`create role ${owner} login password 'plain'`)
  await admin.query(`grant ${owner} to current_user`)
  await admin.query(`alter database ${new URL(url).pathname.slice(1)} owner to ${owner}`)
  server.username = owner
  server.password = 'plain'
  server.pathname = new URL(url).pathname
  const opened = await connect(server.href, { command: 'test', pool_size: 1 })
  afterAll(async () => {
    await opened.close()
    await drop()
    await admin.query(`drop role ${owner}`)
    await admin.end()
  })

  it('logs the missing right, works without it, and uses it from the next start on', async () => {
    const warnings: string[] = []
    await migrate(server.href, { log: message => warnings.push(message) })
    expect(warnings.at(-1)).toMatch(`grant ${READER} to ${owner}`)
    expect(await isReaderReady(opened.db)).toBe(false)
    await admin.query(`grant ${READER} to ${owner}`)
    await migrate(server.href)
    expect(await isReaderReady(opened.db)).toBe(true)
  })
})
