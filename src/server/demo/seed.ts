import { sql } from 'kysely'
import type { Db } from '#server/db/connect.ts'
import type { Trx } from '#server/db/transaction.ts'
import { accountChannelOf } from '#shared/channels/all.ts'
import { todayIn } from '#shared/date-range.ts'
import type { ConnectablePlatform } from '#shared/connect.ts'
import { platformFacts } from '#shared/platforms.ts'
import { quotasOf, type Config } from '#server/config.ts'
import type { Vault } from '#server/vault.ts'
import { sources } from '#server/connectors/all.ts'
import type { PlatformAccount } from '#server/connectors/connector.ts'
import { discoverAccounts, type PlatformAccess } from '#server/resources/ad-accounts/import.ts'
import { changeApp } from '#server/resources/public-accounts/apps.ts'
import { insertLogin } from '#server/resources/public-accounts/logins.ts'
import { insertExecution } from '#server/resources/executions/queries.ts'
import { saveAgencyValues } from '#server/resources/instructions/queries.ts'
import { insertFolder } from '#server/resources/folders/queries.ts'
import { readPerson } from '#server/resources/people/queries.ts'
import { createReport } from '#server/resources/reports/save.ts'
import { gapsOf } from '#server/resources/reports/rules.ts'
import { hashPassword } from '#server/resources/session/passwords.ts'
import { insertBusinesses } from './businesses.ts'
import { findAudiencePlaces } from './audience-places.ts'
import { insertAudiences } from './audiences.ts'
import { insertCampaigns } from './campaigns.ts'
import { insertDemoRates } from './billing.ts'
import { insertCustomers } from './customers.ts'
import { insertOrders } from './orders.ts'
import { demoApps, demoLogins, demoPlatforms } from './logins.ts'
import { insertMaterials, storeMaterials } from './materials.ts'
import { insertMeanings, type DemoMeanings } from './meanings.ts'
import { markDemoPeople } from './demo-people.ts'
import { demoAdvertisers, demoAgencyValues, demoPeople } from './people.ts'
import { demoReports, demoSpreadsheets, tabsOf, type DemoReport } from './reports.ts'
import { spreadsheetsOf } from './spreadsheets.ts'
import { saveAccounts } from '#server/resources/ad-accounts/queries.ts'
import { upsertShare } from '#server/resources/reports/share-queries.ts'

type Ids = Map<string, number>

export interface SeedEffects {
  config: Config
  vault: Vault
  platforms: PlatformAccess
  /** Where images and files are stored. */
  files: Parameters<typeof storeMaterials>[1]
  /** The system users that the agency's spreadsheets are shared with, in turn. */
  system_users: readonly string[]
  log: (message: string) => void
}

/**
 * Fills an empty database with an agency that looks alive. Only people, names and preferences are invented:
 * accounts are discovered over the wire, spreadsheets are made as a person would, and the first runs are real
 * ones. A database that has any person is left unchanged.
 */
export async function seedDemo(db: Db, effects: SeedEffects): Promise<void> {
  if (await hasPeople(db)) return
  const found = await discoverAll(effects)
  const places = await findAudiencePlaces(
    found.flatMap(({ accounts }) => accounts),
    effects,
  )
  const spreadsheets = await makeSpreadsheets(effects)
  const materials = await storeMaterials(db, effects.files, new Date())
  const passwordHash = await hashPassword(effects.config.demo_password)
  await db.transaction().execute(async trx => {
    // Of several processes that start on one empty database, the first one fills it.
    await sql`lock table users in exclusive mode`.execute(trx)
    if (await hasPeople(trx)) return
    const people = await insertPeople(trx, passwordHash)
    await markDemoPeople(trx, [...people.values()])
    const advertisers = await insertAdvertisers(trx, people)
    const month = todayIn(effects.config.app_time_zone, new Date()).slice(0, 7)
    await insertCustomers(trx, { advertisers, month })
    await insertDemoRates(trx, { month })
    const meanings = await insertMeanings(trx, { advertisers })
    await insertApps(trx, effects.vault)
    const account_ids = await insertAccounts(trx, found, { advertisers, people, effects })
    await saveAgencyValues(trx, demoAgencyValues)
    await insertBindings(trx, { spreadsheets, advertisers, people })
    const time_zone = effects.config.app_time_zone
    await insertOrders(trx, { advertisers, people, time_zone, now: new Date() })
    const now = new Date()
    const { vault } = effects
    const made = { advertisers, people, account_ids, places, vault, now }
    const images = await insertMaterials(trx, materials, made)
    await insertCampaigns(trx, { ...made, ...(await insertAudiences(trx, made)), images })
    await insertReports(trx, { people, account_ids, spreadsheets, meanings, effects })
  })
  const { config, vault, platforms } = effects
  await insertBusinesses(db, { vault, platforms, time_zone: config.app_time_zone, now: new Date() })
}

const hasPeople = async (db: Db) => (await db.selectFrom('users').select('id').limit(1).execute()).length > 0

/** Creates the files as their owners and shares them; returns their ids by key. */
async function makeSpreadsheets({
  config,
  system_users,
}: Pick<SeedEffects, 'config' | 'system_users'>): Promise<Map<string, string>> {
  const origin = { sheets: config.google_sheets_base_url, drive: config.google_drive_base_url }
  const made = new Map<string, string>()
  for (const spreadsheet of demoSpreadsheets) {
    const { key, title, owner, readers, belongs_to } = spreadsheet
    const service = spreadsheetsOf(origin, emailOf(owner))
    const id = await service.create(title, tabsOf(spreadsheet))
    made.set(key, id)
    const systemUser = system_users[made.size % system_users.length]
    if (belongs_to !== null && systemUser) await service.share(id, systemUser, 'writer')
    for (const reader of readers) await service.share(id, emailOf(reader), 'reader')
  }
  return made
}

const emailOf = (username: string) => demoPeople.find(person => person.username === username)?.email ?? ''

async function insertPeople(trx: Trx, password_hash: string): Promise<Ids> {
  const rows = demoPeople.map(({ advertisers: _advertisers, mobile, ...person }) => ({
    company_extension: '',
    plan: 0,
    ...person,
    email_confirmed: true,
    contacts: JSON.stringify([
      { type: 2, value: person.email },
      ...(mobile === undefined ? [] : [{ type: 1, value: mobile }]),
    ]),
    password_hash,
  }))
  const people = await trx.insertInto('users').values(rows).returning(['id', 'username']).execute()
  return new Map(people.map(person => [person.username, person.id]))
}

async function insertAdvertisers(trx: Trx, people: Ids): Promise<Ids> {
  const rows = await trx
    .insertInto('advertiser')
    .values(demoAdvertisers.map(name => ({ name })))
    .returning(['id', 'name'])
    .execute()
  const advertisers = new Map(rows.map(row => [row.name, row.id]))
  const members = demoPeople.flatMap(person =>
    person.advertisers.map(name => ({
      advertiser: idOf(advertisers, name),
      user_id: idOf(people, person.username),
    })),
  )
  await trx.insertInto('advertiser_member').values(members).execute()
  return advertisers
}

interface FoundAccount {
  platform: keyof typeof demoLogins
  accounts: PlatformAccount[]
}

/**
 * Imports accounts from every platform over the wire. One that has been pointed elsewhere and does not
 * respond leaves the demo without its accounts.
 */
async function discoverAll({ platforms, log }: SeedEffects): Promise<FoundAccount[]> {
  return await Promise.all(
    demoPlatforms.map(async platform => {
      const source = sources[platform](demoLogins[platform])
      const accounts = await discoverAccounts(source, platforms).catch(error => {
        log(`the demo goes without ${platform}: ${error instanceof Error ? error.message : String(error)}`)
        return []
      })
      return { platform, accounts }
    }),
  )
}

async function insertApps(trx: Trx, vault: Vault): Promise<void> {
  for (const [name, changes] of Object.entries(demoApps)) {
    const platform = name as ConnectablePlatform
    await changeApp(trx, vault, { platform, version: 0, changes, now: new Date() })
  }
}

/** The login has just been tested. */
const noteTested = (trx: Trx, id: number, tested_at: Date) =>
  trx.updateTable('public_account').set({ tested_at, test_result: 'ok' }).where('id', '=', id).execute()

/** Stores the logins, sealed, and the accounts that they see; returns ids by channel and name. */
async function insertAccounts(
  trx: Trx,
  found: FoundAccount[],
  { advertisers, people, effects }: { advertisers: Ids; people: Ids; effects: SeedEffects },
): Promise<Ids> {
  for (const { platform, accounts } of found) {
    const name = `${platformFacts(platform).names.en} (agency)`
    const created_by = idOf(people, 'superuser')
    const login = { platform, name, login: demoLogins[platform], created_by }
    const public_account = await insertLogin(trx, effects.vault, login)
    const now = new Date()
    await saveAccounts(trx, accounts.map(withOwner), { public_account, now })
    if (accounts.length > 0) await noteTested(trx, public_account, now)
  }
  const inserted = await trx
    .selectFrom('ad_account')
    .select(['id', 'channel', 'external_id', 'name', 'property_id'])
    .execute()
  for (const [index, { id }] of inserted.entries())
    await trx
      .updateTable('ad_account')
      .set({ ecid: `EC${String(1001 + index)}` })
      .where('id', '=', id)
      .execute()
  return new Map(
    inserted.map(({ id, channel, external_id, name, property_id }) => [
      `${channel} ${property_id === null ? name : external_id}`,
      id,
    ]),
  )

  /** Not every platform says who owns an account; the agency names accounts after their owners. */
  function withOwner(account: PlatformAccount): PlatformAccount {
    const text = account.owner_name ?? account.analytics?.account_name ?? account.name
    const owner = [...advertisers.keys()].find(
      name => text === name || account.name.startsWith(name.split(' ')[0] ?? name),
    )
    return { ...account, owner_name: owner ?? account.owner_name ?? account.analytics?.account_name ?? null }
  }
}

async function insertBindings(
  trx: Trx,
  { spreadsheets, advertisers, people }: { spreadsheets: Map<string, string>; advertisers: Ids; people: Ids },
) {
  const rows = demoSpreadsheets.flatMap(({ key, title, belongs_to, owner }) => {
    const spreadsheet_id = spreadsheets.get(key)
    if (belongs_to === null || spreadsheet_id === undefined) return []
    const isOwn = belongs_to === 'owner'
    return [
      {
        spreadsheet_id,
        title,
        advertiser: isOwn ? null : idOf(advertisers, belongs_to),
        department: isOwn ? (demoPeople.find(person => person.username === owner)?.department ?? null) : null,
        proven_by: idOf(people, owner),
        proof: 'permission' as const,
        role: 'owner' as const,
      },
    ]
  })
  await trx.insertInto('spreadsheet_binding').values(rows).execute()
}

interface Seeded {
  people: Ids
  account_ids: Ids
  spreadsheets: Map<string, string>
  meanings: DemoMeanings
  effects: SeedEffects
}

async function insertReports(trx: Trx, seeded: Seeded) {
  const folders = new Map<string, number>()
  // A platform that has been pointed elsewhere may have other accounts: the demo then has no reports about
  // these.
  const possible = demoReports.filter(({ blocks }) =>
    blocks.every(({ channel, accounts }) =>
      accounts.every(name => seeded.account_ids.has(`${accountChannelOf(channel)} ${name}`)),
    ),
  )
  for (const report of possible) {
    const owner = idOf(seeded.people, report.owner)
    const folder = await folderAt(trx, { owner, path: report.folder, folders })
    const id = await insertReport(trx, report, { owner, folder, seeded })
    if (report.shared_with) {
      const user_id = idOf(seeded.people, report.shared_with.username)
      await upsertShare(
        trx,
        { report: id, user_id, access: report.shared_with.access, shared_by: owner },
        new Date(),
      )
    }
  }
  await runAll(trx)
}

async function insertReport(
  trx: Trx,
  report: DemoReport,
  { owner, folder, seeded }: { owner: number; folder: number | null; seeded: Seeded },
): Promise<number> {
  const { config } = seeded.effects
  const { fields } = report
  const spreadsheetId = report.spreadsheet && seeded.spreadsheets.get(report.spreadsheet)
  const editor = await readPerson(trx, owner)
  if (!editor) throw new Error(`${report.owner} is nobody of the demo`)
  return await createReport(
    trx,
    {
      spreadsheet_url: spreadsheetId
        ? `${config.google_sheets_base_url}/spreadsheets/d/${spreadsheetId}/edit#gid=0`
        : '',
      sheet_name: report.sheet_name,
      start_cell: 'A1',
      timezone: config.app_time_zone,
      header_language: 'en',
      arrangement: 'joined',
      fill_zero: false,
      format_table: true,
      sort: null,
      limit: null,
      currency: null,
      comparison: null,
      note: false,
      blends: [],
      dimensions: ['date'],
      date_range: { start: null, end: null, dynamic_range: 1 },
      update_frequency: 0,
      update_time: '09:00:00',
      update_day_of_week: null,
      update_day_of_month: null,
      channels: report.blocks.map(({ channel, accounts, metrics, filters = [], conversion }) => ({
        channel,
        label: null,
        accounts: accounts.map(name => idOf(seeded.account_ids, `${accountChannelOf(channel)} ${name}`)),
        metrics: metrics.map(name => seeded.meanings.metrics.get(name) ?? name),
        filters,
        on_error: 'leave_empty' as const,
        ...(conversion && { conversion: seeded.meanings.conversions.get(conversion) ?? null }),
      })),
      ...fields,
    },
    {
      folder,
      owner,
      editor,
      now: new Date(),
      settings: {
        public_url: config.public_url,
        session_days: config.session_days,
        shares_one_address: false,
        time_zone: config.app_time_zone,
        currency: config.app_currency,
        report_channel_limit: config.report_channel_limit,
        history_days: config.history_days,
        quotas: quotasOf(config),
        metrics_token: null,
        second_factor_roles: [],
        mailbox_url: null,
        demo_password: config.demo_password,
        spreadsheet_origins: [config.google_sheets_base_url],
      },
    },
  )
}

async function folderAt(
  trx: Trx,
  { owner, path, folders }: { owner: number; path: string[]; folders: Map<string, number> },
): Promise<number | null> {
  let parent: number | null = null
  for (const [index, name] of path.entries()) {
    const key = `${owner}/${path.slice(0, index + 1).join('/')}`
    const id: number =
      folders.get(key) ?? (await insertFolder(trx, { owner, name, parent, layer: index + 1 }, new Date()))
    folders.set(key, id)
    parent = id
  }
  return parent
}

/** Each person's complete reports run once, so that there is something to look at. */
async function runAll(trx: Trx) {
  const reports = await trx.selectFrom('report').selectAll().execute()
  const ready = reports.filter(report => gapsOf(report).length === 0)
  for (const owner of new Set(ready.map(report => report.owner))) {
    const ofOwner = ready.filter(report => report.owner === owner)
    await insertExecution(trx, {
      user_id: owner,
      idempotency_key: null,
      trigger: 'click',
      reports: ofOwner.map(({ id: report }) => ({ report, owner })),
    })
  }
}

function idOf(ids: Ids, name: string): number {
  const id = ids.get(name)
  if (id === undefined) throw new Error(`the demo has no ${name}`)
  return id
}
