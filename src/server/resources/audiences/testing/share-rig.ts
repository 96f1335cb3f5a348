import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { MemberColumn, UploadAction } from '#shared/audiences.ts'
import type { AudienceSource } from '#server/connectors/audience.ts'
import { sandboxHosts } from '#server/connectors/testing/context.ts'
import { createTokenCache } from '#server/connectors/kit/tokens.ts'
import { testDatabase } from '#server/db/testing/database.ts'
import type { Database } from '#server/db/schema.ts'
import type { Insertable } from 'kysely'
import { eraseFromNextAccount } from '../erase-job.ts'
import type { ShareEffects } from '../share-effects.ts'
import { advanceNextShare } from '../share-job.ts'
import { msUntilShareDue } from '../share-queries.ts'
import { wakeShares } from '../upload-queries.ts'

export const START = Date.parse('2026-11-20T02:00:00Z')

/** Shares of audiences with a platform, on a clock of their own. Call it once per test file. */
export async function shareRig() {
  const opened = await testDatabase()
  const { db } = opened
  const clock = { now: START }
  const maker = await user('staff')
  const advertiser = await insertAdvertiser('Aurora', [maker])

  async function user(identity: 'staff' | 'external_user' | 'manager') {
    const row = { username: `${identity} ${randomUUID()}`, identity, user_type: 1 }
    return (await db.insertInto('users').values(row).returning('id').executeTakeFirstOrThrow()).id
  }
  async function insertAdvertiser(name: string, members: readonly number[] = []) {
    const row = { name: `${name} ${randomUUID()}` }
    const { id } = await db.insertInto('advertiser').values(row).returning('id').executeTakeFirstOrThrow()
    for (const user_id of members)
      await db.insertInto('advertiser_member').values({ advertiser: id, user_id }).execute()
    return id
  }
  async function account(external_id: string, of = advertiser) {
    const facts = { channel: 'fb', provider: 'meta', currency: 'TWD', timezone: 'Asia/Taipei' } as const
    const row = { ...facts, external_id: `${external_id}-${randomUUID()}`, name: external_id, advertiser: of }
    return await db
      .insertInto('ad_account')
      .values(row)
      .returning(['id', 'external_id'])
      .executeTakeFirstOrThrow()
  }
  async function audience(more: Partial<Insertable<Database['audience']>> = {}) {
    const row = {
      advertiser,
      kind: 'customer_file' as const,
      name: `VIP ${randomUUID()}`,
      collected_by: 'advertiser' as const,
      consent: JSON.stringify({ ad_user_data: 'granted', ad_personalization: 'granted' }),
      window_days: 540,
      keep_days: 30,
      status: 'ready' as const,
      created_by: maker,
      ...more,
    }
    return (await db.insertInto('audience').values(row).returning('id').executeTakeFirstOrThrow()).id
  }
  /** Taken at once, a chunk for each list of values. */
  async function upload(
    of: number,
    chunks: readonly (readonly string[])[],
    { action = 'add', columns = ['email'] }: { action?: UploadAction; columns?: MemberColumn[] } = {},
  ): Promise<string> {
    const id = randomUUID()
    const now = new Date(clock.now)
    await db.transaction().execute(async trx => {
      if (action === 'replace') await trx.deleteFrom('audience_chunk').where('audience', '=', of).execute()
      await trx
        .insertInto('audience_upload')
        .values({
          id,
          position: sql`nextval('audience_upload_position')` as never,
          audience: of,
          session: randomUUID(),
          action,
          columns,
          state: 'taken',
          created_at: now,
          last_modified_at: now,
          taken_at: now,
        })
        .execute()
      for (const values of chunks) {
        const sealed = Buffer.from(JSON.stringify({ columns, rows: values.map(value => [value]) }))
        const row = { audience: of, upload: id, columns, rows: values.length, sealed }
        await trx
          .insertInto('audience_chunk')
          .values({ ...row, fingerprints: Buffer.alloc(8 * values.length) })
          .execute()
      }
      if (action === 'remove') await takeOut(trx, of, id, new Set(chunks.flat()))
      await wakeShares(trx, of, now)
    })
    return id
  }
  async function takeOut(trx: typeof db, of: number, besides: string | null, values: ReadonlySet<string>) {
    const stored = await trx
      .selectFrom('audience_chunk')
      .selectAll()
      .where('audience', '=', of)
      .$if(besides !== null, query => query.where('upload', '<>', besides ?? ''))
      .execute()
    for (const chunk of stored) {
      const { columns, rows } = openJson(chunk)
      const left = rows.filter(([value = '']) => !values.has(value))
      const sealed = Buffer.from(JSON.stringify({ columns, rows: left }))
      await trx
        .updateTable('audience_chunk')
        .set({ rows: left.length, sealed })
        .where('id', '=', chunk.id)
        .execute()
    }
  }
  async function share(
    of: number,
    ad_account: number,
    more: Partial<Insertable<Database['audience_share']>> = {},
  ) {
    const now = new Date(clock.now)
    const times = { next_at: now, created_at: now, last_modified_at: now }
    const row = { audience: of, ad_account, mode: 'copy' as const, state: 'queued' as const, ...times }
    const values = { ...row, created_by: maker, ...more }
    return (await db.insertInto('audience_share').values(values).returning('id').executeTakeFirstOrThrow()).id
  }
  /** Of people who are in no copy of ours any more. */
  async function erasure(values: readonly string[], accounts: readonly number[]): Promise<number> {
    const columns: MemberColumn[] = ['email']
    const sealed = Buffer.from(JSON.stringify({ columns, rows: values.map(value => [value]) }))
    const now = new Date(clock.now)
    const facts = { advertiser, columns, rows: values.length, sealed, after_chunk: null, created_at: now }
    const { id } = await db.insertInto('erasure').values(facts).returning('id').executeTakeFirstOrThrow()
    const rows = accounts.map(ad_account => ({ erasure: id, ad_account, next_at: now }))
    await db.insertInto('erasure_account').values(rows).execute()
    for (const { id: of } of await db.selectFrom('audience').select('id').execute())
      await db.transaction().execute(trx => takeOut(trx, of, null, new Set(values)))
    return id
  }
  const outcomes = async (id: number) =>
    (
      await db
        .selectFrom('erasure_account')
        .select(['outcome', 'code'])
        .where('erasure', '=', id)
        .orderBy('ad_account')
        .execute()
    ).map(({ outcome, code }) => (code === null ? outcome : `${outcome}: ${code}`))
  const read = (id: number) =>
    db.selectFrom('audience_share').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const change = (id: number, changes: object) =>
    db.updateTable('audience_share').set(changes).where('id', '=', id).execute()

  function effects(source: AudienceSource | null, more: Partial<ShareEffects> = {}): ShareEffects {
    return {
      fetch,
      hosts: sandboxHosts('http://127.0.0.1:9'),
      tokens: createTokenCache(() => new Date(clock.now)),
      limiter: { acquire: async () => {}, report: async () => {} },
      audiencesOf: async () => source,
      openChunk: openJson,
      openErasure: openJson,
      now: async () => new Date(clock.now),
      stopping: new AbortController().signal,
      onUnexpected: error => {
        throw error
      },
      ...more,
    }
  }
  /** Until nothing is due, with the time that shares wait for passing at once, at most so long. */
  async function settle(source: AudienceSource | null, { within_ms = 3600_000, ...more }: Settling = {}) {
    const end = clock.now + within_ms
    for (let rounds = 0; rounds < 500; rounds += 1) {
      if (await advanceNextShare(db, effects(source, more))) continue
      if (await eraseFromNextAccount(db, effects(source, more))) continue
      const now = new Date(clock.now)
      const pause = await msUntilShareDue(db, { now, within_ms: end - clock.now })
      if (pause === null) return
      clock.now += pause
    }
    throw new Error('the shares do not come to an end')
  }
  return {
    ...opened,
    clock,
    maker,
    advertiser,
    user,
    insertAdvertiser,
    account,
    audience,
    upload,
    share,
    erasure,
    outcomes,
    read,
    change,
    effects,
    settle,
  }
}

type Settling = Partial<ShareEffects> & { within_ms?: number }

const openJson = ({ sealed }: { sealed: Uint8Array }) => JSON.parse(Buffer.from(sealed).toString())
