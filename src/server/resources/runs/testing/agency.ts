import type { Insertable, Selectable } from 'kysely'
import { afterAll } from 'vitest'
import { z } from 'zod'
import { ACCOUNTS } from '#sandbox/dataset/agency.ts'
import { startTestSandbox } from '#server/connectors/testing/sandbox.ts'
import type { Db, OpenDatabase } from '#server/db/connect.ts'
import { testDatabase } from '#server/db/testing/database.ts'
import type { Database } from '#server/db/schema.ts'
import { sandboxEffects, TEST_NOW } from './effects.ts'
import { ownerAt, OWNER } from '#server/sheets/testing/sandbox.ts'
import { runReport, type RunEffects } from '#server/resources/runs/run-report.ts'
import { insertReport, nextRunId } from './reports.ts'
import { claimRun } from '#server/resources/runs/lease-queries.ts'

export type RunRow = Selectable<Database['run']>
type ReportFields = Partial<Insertable<Database['report']>>
type Block = Selectable<Database['report']>['channels'][number]

/**
 * The address of the report owner, who is an editor of the spreadsheets; the owner of these is no user of the
 * product.
 */
export const FILE_WRITER = 'staff@agency.demo'

/**
 * An agency with one client, its Meta accounts and spreadsheets, in a database and a sandbox of its own. Call
 * it once per test file.
 */
export async function testAgency({
  system_users,
  openDatabase = testDatabase,
}: { system_users?: number; openDatabase?: () => Promise<OpenDatabase> } = {}) {
  const opened = await openDatabase()
  const { db } = opened
  const sandbox = await startTestSandbox({ ...(system_users && { system_users }) })
  afterAll(() => sandbox.stop())
  await sandbox.reset(TEST_NOW)
  await control(sandbox.base_url, 'limits', { quota: { per_user: 1_000_000, per_project: 1_000_000 } })

  const owner = await insertUser('staff', FILE_WRITER)
  const { id: advertiser } = await db
    .insertInto('advertiser')
    .values({ name: 'Everybody' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.insertInto('advertiser_member').values({ advertiser, user_id: owner }).execute()
  const accounts = await insertAccounts()
  const service = spreadsheets(sandbox.base_url)

  async function insertUser(identity: 'staff' | 'external_user', email: string | null = null) {
    const { id } = await db
      .insertInto('users')
      .values({
        username: `${identity} ${crypto.randomUUID()}`,
        identity,
        user_type: 1,
        ...(email && { email, email_confirmed: true }),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }

  async function insertAccounts() {
    const rows = ACCOUNTS.filter(account => account.channel === 'fb').map(account => ({
      channel: 'fb' as const,
      provider: 'meta' as const,
      external_id: account.id,
      name: account.name,
      currency: account.currency,
      timezone: account.time_zone,
      advertiser,
    }))
    const inserted = await db.insertInto('ad_account').values(rows).returning(['id', 'name']).execute()
    return new Map(inserted.map(({ id, name }) => [name, id]))
  }

  /** The address of a system user, counted from 0. */
  const systemUser = (index: number) => {
    const user = effects().system_users[index]
    if (!user) throw new Error(`there is no system user ${index}`)
    return user.client.system_user
  }

  /** A file with the tab "Data", shared with a system user and bound to the client. */
  async function spreadsheet({
    role = 'writer',
    system_user = systemUser(0),
  }: { role?: 'writer' | 'reader'; system_user?: string } = {}): Promise<string> {
    const id = await service.create('Data')
    await service.share(id, system_user, role)
    await service.share(id, FILE_WRITER, 'writer')
    await db
      .insertInto('spreadsheet_binding')
      .values({ spreadsheet_id: id, advertiser, proof: 'permission', proven_by: owner })
      .execute()
    return id
  }

  const block = (names: string[], more: Partial<Block> = {}): Block => ({
    channel: 'fb',
    label: null,
    accounts: names.map(name => {
      const id = accounts.get(name)
      if (id === undefined) throw new Error(`there is no account ${name}`)
      return id
    }),
    metrics: ['impressions', 'cost'],
    filters: [],
    on_error: 'leave_empty',
    ...more,
  })

  /**
   * A report of the first ten days of November that writes to a spreadsheet of its own unless one is given.
   */
  async function report({
    blocks = [block(['Aurora Cosmetics Taiwan'])],
    ...fields
  }: ReportFields & { blocks?: Block[] } = {}) {
    const spreadsheet_id = fields.spreadsheet_id === undefined ? await spreadsheet() : fields.spreadsheet_id
    const { report: id } = await insertReport(db, {
      owner,
      spreadsheet_url: `https://docs.google.com/spreadsheets/d/${spreadsheet_id}/edit`,
      spreadsheet_id,
      sheet_name: 'Data',
      target_state: 'ok',
      channels: JSON.stringify(blocks),
      dynamic_range: 0,
      date_start: '2026-11-01',
      date_end: '2026-11-10',
      ...fields,
    })
    return { id, spreadsheet_id: spreadsheet_id ?? '' }
  }

  async function queue(
    report_id: number,
    fields: Partial<Insertable<Database['run']>> = {},
    trx: Db = db,
  ): Promise<string> {
    const id = nextRunId()
    const { owner: of } = await trx
      .selectFrom('report')
      .select('owner')
      .where('id', '=', report_id)
      .executeTakeFirstOrThrow()
    await trx
      .insertInto('run')
      .values({ id, report: report_id, owner: of, trigger: 'click', status: 'queued', ...fields })
      .execute()
    return id
  }

  const runRow = (id: string): Promise<RunRow> =>
    db.selectFrom('run').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

  const effects = (more: Partial<RunEffects> = {}): RunEffects => ({
    ...sandboxEffects(db, sandbox),
    ...more,
  })

  type AttemptOptions = Partial<RunEffects> & { lease_s?: number }

  /** One attempt. */
  async function attempt(run_id: string, { lease_s, ...more }: AttemptOptions = {}): Promise<RunRow> {
    const run = await claimRun(db, run_id, claimantOf(lease_s))
    if (run) await runReport(run, effects(more))
    return await runRow(run_id)
  }

  /** A new run of the report, in one attempt; no worker sees it before it is claimed here. */
  async function runOnce(report_id: number, { lease_s, ...more }: AttemptOptions = {}): Promise<RunRow> {
    const claimed = await db.transaction().execute(async trx => {
      const id = await queue(report_id, {}, trx)
      return await claimRun(trx, id, claimantOf(lease_s))
    })
    if (!claimed) throw new Error('the run is already claimed')
    await runReport(claimed, effects(more))
    return await runRow(claimed.id)
  }

  return {
    ...opened,
    sandbox,
    service,
    owner,
    advertiser,
    insertUser,
    account: (name: string) => accounts.get(name) ?? 0,
    systemUser,
    spreadsheet,
    block,
    report,
    queue,
    effects,
    attempt,
    runRow,
    run: runOnce,
    /** As if its time to go on had come. */
    resume: (run_id: string) =>
      db.updateTable('run').set({ resumes_at: null }).where('id', '=', run_id).execute(),
    setLimits: (limits: object) => control(sandbox.base_url, 'limits', limits),
  }
}

const claimantOf = (lease_s?: number) => ({ worker: 'test', ...(lease_s !== undefined && { lease_s }) })

export type TestAgency = Awaited<ReturnType<typeof testAgency>>

async function control(base_url: string, what: string, body: object) {
  const response = await fetch(`${base_url}/control/${what}`, { method: 'PUT', body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${what}: ${await response.text()}`)
}

const Document = z.looseObject({
  sheets: z.array(z.looseObject({ properties: z.looseObject({ hidden: z.boolean().optional() }) })),
})

/** The spreadsheet service, as the owner of the files. */
function spreadsheets(base_url: string) {
  const owner = ownerAt(() => base_url, OWNER)
  return {
    ...owner,
    create: (title: string) => owner.create({ title, gridProperties: { rowCount: 60, columnCount: 12 } }),
    values: (id: string, range = 'Data') => owner.values(id, range),
    /**
     * The whole document, values, formats, sizes and tabs, without the entries of runs; with `visible`
     * without hidden tabs.
     */
    async document(id: string, { visible = false } = {}): Promise<string> {
      const document = Document.parse(await owner.document(id))
      const sheets = document.sheets.filter(sheet => !visible || !sheet.properties.hidden)
      return JSON.stringify({ ...document, sheets })
    },
  }
}
