import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { MemberColumn } from '#shared/audiences.ts'
import { createTokens } from '#server/http/tokens.ts'
import { packRows } from '#server/resources/audiences/chunk.ts'
import { startFamily } from '#server/resources/session/queries.ts'
import { serverOver } from './api.ts'
import type { BenchCase, Prepared } from './case.ts'
import { startDatabase } from './database.ts'

// A batch of people as the browser sends it: an e-mail address in two forms, and a phone in two.

const COLUMNS: MemberColumn[] = ['email', 'email_google', 'phone', 'phone_e164']

export const cases: BenchCase[] = [
  {
    id: 'A1',
    what: 'members call of 10,000 × 4 over HTTP, beside inserting the same bytes (p95 ≤ 400 ms)',
    sizes: [1000, 10_000],
    unit: 'rows',
    binding: [10_000],
    reach: { ratio: 12, megabytes: 300 },
    prepare: size => prepareUpload(size, false),
  },
  {
    id: 'A2',
    what: 'the same with 1,000 people on the suppression list',
    sizes: [10_000],
    unit: 'rows',
    reach: { ratio: 20, megabytes: 300 },
    prepare: size => prepareUpload(size, true),
  },
]

async function prepareUpload(size: number, isSuppressing: boolean): Promise<Prepared> {
  const { db, stop } = await startDatabase()
  const { id: user } = await db
    .insertInto('users')
    .values({ username: 'staff', identity: 'director', user_type: 1 })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: advertiser } = await db
    .insertInto('advertiser')
    .values({ name: 'Aurora' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const key = randomBytes(32)
  const app = await serverOver(db, key)
  const session = { now: new Date(), session_days: 30, address: null, user_agent: null }
  const claims = await db.transaction().execute(trx => startFamily(trx, user, session))
  const headers = { authorization: `Bearer ${await createTokens(key).signAccess(claims, new Date())}` }
  if (isSuppressing)
    await sql`insert into suppressed_member (advertiser, key, created_at)
      select ${advertiser}, sha256(n::text::bytea), now() from generate_series(1, 1000) n`.execute(db)
  const rows = Array.from({ length: size }, (_, n) => COLUMNS.map(column => hashOf(`${column} ${n}`)))
  const { bytes } = packRows({ columns: COLUMNS, rows })
  await sql`create table floor (bytes bytea)`.execute(db)
  const post = async (url: string, body: object) => {
    const { statusCode, body: text } = await app.inject({ method: 'POST', url, headers, payload: body })
    if (statusCode >= 300) throw new Error(text.slice(0, 500))
    return text
  }
  return {
    async ours() {
      const body = { advertiser, kind: 'customer_file', name: randomUUID(), basis: 'Terms of the shop' }
      const { id } = JSON.parse(await post('/api/lta/', body))
      const batch = { session: randomUUID(), seq: 1, last: true, action: 'add', columns: COLUMNS, rows }
      const started = performance.now()
      await post(`/api/lta/${id}/members/`, batch)
      return performance.now() - started
    },
    floor: async () => void (await sql`insert into floor values (${bytes})`.execute(db)),
    async stop() {
      await app.close()
      await stop()
    },
  }
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')
