import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Audience } from '#shared/api/audiences.ts'
import { expectAlike } from '#server/http/testing/answers.ts'
import { expectRefusal, testApi, type Client } from '#server/http/testing/api.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { openChunk } from './chunk.ts'
import { openErasure, recordErasure, sweepErasure, sweepErasures } from './erase.ts'
import { finishErasure } from './erasure-queries.ts'
import { memberKey } from './member-keys.ts'
import {
  batchOf,
  COLUMNS,
  customerFile,
  filled,
  hashOf,
  LTA,
  people,
  personRow,
  readAudience,
  send,
  shareWith,
} from './testing/members.ts'

const api = await testApi()
const { db, effects } = api
const { vault } = effects
const ERASE = `${LTA}erase/`

/** A person of an advertiser of their own. */
async function served() {
  const who = await api.signedIn('staff')
  return { who, advertiser: await api.advertiser(randomUUID(), [who.user.id]) }
}

const erase = (who: Client, advertiser: number, rows: string[][], columns: string[] = COLUMNS) =>
  who.post(ERASE, { advertiser, columns, rows })
const erasureOf = async (who: Client, response: { body: unknown }) =>
  (await who.get(`${ERASE}${Object(response.body).erasure}/`)).body

const rowsOf = async ({ id }: Pick<Audience, 'id'>) => {
  const chunks = await db
    .selectFrom('audience_chunk')
    .selectAll()
    .where('audience', '=', id)
    .orderBy('id')
    .execute()
  return chunks.flatMap(chunk => openChunk(vault, chunk).rows.map(row => [...row]))
}

describe('erasing people', () => {
  it('takes them out of every list of the advertiser, and of uploads that are still open', async () => {
    const { who, advertiser } = await served()
    const lists = [
      await filled(who, { advertiser, rows: people(0, 5) }),
      await filled(who, { advertiser, rows: people(4, 5) }),
      await customerFile(who, { advertiser }),
    ] as const
    const open = batchOf(people(3, 6), { last: false })
    await send(who, lists[2], open)
    const elsewhere = await served()
    const other = await filled(elsewhere.who, { advertiser: elsewhere.advertiser, rows: people(4, 5) })

    const response = await erase(who, advertiser, [personRow(4)])
    expect(response.status).toBe(202)
    expect(await rowsOf(lists[0])).toEqual(people(0, 4))
    expect(await rowsOf(lists[1])).toEqual([])
    expect(await rowsOf(lists[2])).toEqual([personRow(3), personRow(5)])
    expect(await rowsOf(other)).toEqual([personRow(4)])
    expect([await readAudience(who, lists[0]), await readAudience(who, lists[1])]).toMatchObject([
      { rows: 4, version: 1 },
      { rows: 0 },
    ])
    expect(await erasureOf(who, response)).toMatchObject({
      advertiser,
      rows: 1,
      removed: 3,
      accounts: [],
      created_by: who.user.id,
      finished_at: expect.any(String),
    })
    await send(who, lists[2], { ...open, seq: 2, last: true, rows: [] })
    expect(await readAudience(who, lists[2])).toMatchObject({ rows: 2 })
  })

  it('finds them by an address or a phone alone, and leaves them out of later uploads', async () => {
    const { who, advertiser } = await served()
    const [email = '', , phone = ''] = personRow(4)
    expect((await erase(who, advertiser, [[email]], ['email'])).status).toBe(202)
    expect((await erase(who, advertiser, [[phone]], ['phone'])).status).toBe(202)
    const audience = await customerFile(who, { advertiser })
    const again = await send(who, audience, batchOf(people(0, 5000)))
    expect(again.body).toEqual({ seq: 1, rows: 5000, stored: 4999 })
    expect(await readAudience(who, audience)).toMatchObject({ rows: 4999 })
    // Another row that shares the phone.
    const shared = await send(
      who,
      audience,
      batchOf([[hashOf('new@mail.demo'), phone]], { columns: ['email', 'phone'] }),
    )
    expectRefusal(shared, 400, 'audience_empty')
    // Nobody else's list is meant.
    const elsewhere = await served()
    const other = await filled(elsewhere.who, { advertiser: elsewhere.advertiser, rows: people(4, 5) })
    expect(await readAudience(elsewhere.who, other)).toMatchObject({ rows: 1 })
  })

  it('waits for an upload that is being stored at the same time', async () => {
    const { who, advertiser } = await served()
    const lists = await Promise.all(Array.from({ length: 4 }, () => customerFile(who, { advertiser })))
    const uploads = lists.map(list => send(who, list, batchOf(people(0, 40))))
    const erasing = erase(who, advertiser, [personRow(7)])
    await Promise.all([...uploads, erasing])
    for (const list of lists) expect((await rowsOf(list)).length).toBe(39)
  })

  it('names every account that has a list, and keeps the hashes for them until they are done', async () => {
    const { who, advertiser } = await served()
    const audience = await filled(who, { advertiser, rows: people(0, 5) })
    const { ad_account } = await shareWith(api, audience)
    const visitors = await customerFile(who, { advertiser })
    await db.updateTable('audience').set({ kind: 'website' }).where('id', '=', visitors.id).execute()
    await shareWith(api, visitors)
    const response = await erase(who, advertiser, [personRow(4)])
    const expected = { ad_account, channel: 'fb', outcome: 'pending', code: null }
    expect(await erasureOf(who, response)).toMatchObject({
      finished_at: null,
      removed: 1,
      accounts: [expected],
    })

    const id = Number(Object(response.body).erasure)
    const read = () => db.selectFrom('erasure').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const { sealed, columns, rows } = await read()
    expect(openErasure(vault, { id, columns, rows, sealed: sealed ?? new Uint8Array() }).rows).toEqual([
      personRow(4),
    ])
    const due = await db.selectFrom('erasure_account').select('next_at').where('erasure', '=', id).execute()
    expect(due).toEqual([{ next_at: api.clock.now }])
    await inTransaction(db, trx => finishErasure(trx, id, api.clock.now))
    expect(await read()).toMatchObject({ finished_at: null })
    await db.updateTable('erasure_account').set({ outcome: 'done' }).where('erasure', '=', id).execute()
    await inTransaction(db, trx => finishErasure(trx, id, api.clock.now))
    expect(await read()).toMatchObject({ finished_at: api.clock.now, sealed: null })
  })

  it('goes on where a process has ended, and lets the accounts begin after our own copies', async () => {
    const { who, advertiser } = await served()
    const audience = await customerFile(who, { advertiser })
    const upload = batchOf([], { last: false })
    for (let seq = 1; seq <= 25; seq++)
      await send(who, audience, {
        ...upload,
        seq,
        last: seq === 25,
        rows: [personRow(seq), personRow(100)].slice(0, seq === 1 || seq > 12 ? 2 : 1),
      })
    await shareWith(api, audience)
    const key = await memberKey(db, vault)
    const request = {
      advertiser,
      columns: COLUMNS,
      rows: [personRow(3), personRow(23)],
      created_by: who.user.id,
      now: api.clock.now,
    }
    const id = await inTransaction(db, trx => recordErasure(trx, request, { vault, key }))
    const next = async () =>
      (await db.selectFrom('erasure_account').select('next_at').where('erasure', '=', id).execute()).map(
        ({ next_at }) => next_at,
      )

    expect(await sweepErasure(db, { vault, now: api.clock.now }, { id, most: 10 })).toBe(false)
    expect(await rowsOf(audience)).toHaveLength(25)
    expect(await next()).toEqual([null])
    expect(await sweepErasures(db, { vault, now: api.clock.now })).toBe(1)
    expect(await rowsOf(audience)).toHaveLength(24)
    expect(await readAudience(who, audience)).toMatchObject({ rows: 24 })
    expect(await next()).toEqual([api.clock.now])
    expect(await sweepErasures(db, { vault, now: api.clock.now })).toBe(0)
  })

  it('reaches an account that the list is shared with before our own copies are done', async () => {
    const { who, advertiser } = await served()
    const audience = await filled(who, { advertiser, rows: people(0, 2) })
    const key = await memberKey(db, vault)
    const facts = { advertiser, columns: COLUMNS, created_by: who.user.id, now: api.clock.now }
    const id = await inTransaction(db, trx =>
      recordErasure(trx, { ...facts, rows: people(1, 2) }, { vault, key }),
    )
    // It may have been sent the row that is still there.
    const { ad_account } = await shareWith(api, audience, { state: 'queued' })
    await sweepErasures(db, { vault, now: api.clock.now })
    const due = await db
      .selectFrom('erasure_account')
      .select(['ad_account', 'next_at'])
      .where('erasure', '=', id)
      .execute()
    expect(due).toEqual([{ ad_account, next_at: api.clock.now }])
  })

  it('means people, not everybody of a name', async () => {
    const { who, advertiser } = await served()
    const columns = ['email', 'first_name']
    const name = hashOf('amy')
    expectRefusal(await erase(who, advertiser, [['', name]], columns), 400, 'audience_empty')
    const both = await erase(
      who,
      advertiser,
      [
        ['', name],
        [hashOf('amy@mail.demo'), name],
      ],
      columns,
    )
    expect(await erasureOf(who, both)).toMatchObject({ rows: 1 })
  })

  it('is refused without hashes, without the plan, and for another advertiser', async () => {
    const { who, advertiser } = await served()
    expectRefusal(await erase(who, advertiser, [['mary@example.com', '', '', '']]), 400, 'clear_text')
    expectRefusal(await erase(who, advertiser, [[hashOf('amy')]], ['first_name']), 400, 'audience_empty')
    const elsewhere = await served()
    const foreign = await erase(who, elsewhere.advertiser, people(0, 1))
    expectRefusal(foreign, 400, 'invalid', { advertiser: ['field_not_available'] })
    expectAlike(foreign, await erase(who, 999_999_999, people(0, 1)))
    // Nor for nobody's, by who may use them all.
    const director = await api.signedIn('director')
    expectAlike(foreign, await erase(director, 999_999_999, people(0, 1)))
    const nobodys = { advertiser: 999_999_999, kind: 'customer_file', name: 'VIP' }
    expectAlike(foreign, await director.post(LTA, nobodys))
    const client = await api.client()
    expectRefusal(await erase(client, client.advertiser, people(0, 1)), 403, 'plan_needed')
  })

  it('is listed for the people of its advertiser alone', async () => {
    const { who, advertiser } = await served()
    const first = await erase(who, advertiser, people(0, 1))
    const second = await erase(who, advertiser, people(1, 2))
    const ids = [second, first].map(({ body }) => Object(body).erasure)
    const list = async (client: Client, query = '') =>
      Array.from(Object((await client.get(`${ERASE}${query}`)).body).results, each => Object(each).id)
    expect(await list(who)).toEqual(ids)
    expect(await list(who, '?ordering=id&limit=1')).toEqual([ids[1]])
    expect(await list(who, '?advertiser=999999999')).toEqual([])
    const elsewhere = await served()
    expect(await list(elsewhere.who)).toEqual([])
    const [theirs, missing] = [
      await elsewhere.who.get(`${ERASE}${ids[0]}/`),
      await elsewhere.who.get(`${ERASE}999999999/`),
    ]
    expectRefusal(theirs, 404, 'not_found')
    expectAlike(theirs, missing)
  })
})
