import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { cleanUp } from '#server/cleanup.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { testApi } from '#server/http/testing/api.ts'
import { createVault } from '#server/vault.ts'
import { openChunk } from './chunk.ts'
import { finishErasure, replaceSealedRows, sealedErasures } from './erasure-queries.ts'
import { memberKey } from './member-keys.ts'
import { resealMembers } from './reseal.ts'
import { endMembers } from './retention.ts'
import {
  batchOf,
  COLUMNS,
  filled,
  LTA,
  people,
  personRow,
  readAudience,
  send,
  shareWith,
} from './testing/members.ts'

const key = randomBytes(32)
const vault = createVault([key])
const api = await testApi({ effects: { vault } })
const { db } = api
const me = await api.signedIn('staff')
const advertiser = await api.advertiser('Aurora', [me.user.id])
const DAY_MS = 24 * 60 * 60_000
const after = (ms: number) => new Date(api.clock.now.getTime() + ms)
const chunksOf = ({ id }: { id: number }) =>
  db.selectFrom('audience_chunk').selectAll().where('audience', '=', id).execute()

it('destroys our copy when its days are over, and keeps the shares', async () => {
  const audience = await filled(me, { advertiser, rows: people(0, 5) })
  await shareWith(api, audience)
  expect(await endMembers(db, after(30 * DAY_MS - 1))).toBe(0)
  expect(await chunksOf(audience)).toHaveLength(1)
  expect(await endMembers(db, after(30 * DAY_MS))).toBe(1)
  expect(await chunksOf(audience)).toEqual([])
  expect(await readAudience(me, audience)).toMatchObject({
    status: 'expired',
    expires_at: null,
    rows: 5,
    shares: [{ state: 'ready' }],
  })
  // A new upload makes it ready again, with those whom it brings.
  await send(me, audience, batchOf(people(0, 2)))
  expect(await readAudience(me, audience)).toMatchObject({ status: 'ready', rows: 2 })
})

it('waits for an upload that is open, which has left out whom the list has', async () => {
  const audience = await filled(me, { advertiser, rows: people(0, 2) })
  const upload = batchOf(people(1, 3), { last: false })
  await send(me, audience, upload)
  await db.updateTable('audience').set({ expires_at: api.clock.now }).where('id', '=', audience.id).execute()
  await cleanUp(db, after(1), { audit_days: 730 })
  await send(me, audience, { ...upload, seq: 2, last: true })
  expect(await readAudience(me, audience)).toMatchObject({ status: 'ready', rows: 3 })
})

it('deletes an audience whose last share was removed', async () => {
  const audience = await filled(me, { advertiser, rows: people(0, 1) })
  const share = await shareWith(api, audience)
  await me.delete(`${LTA}${audience.id}/`, { version: 1 })
  // Our copy does not wait for the platform.
  expect(await chunksOf(audience)).toEqual([])
  await db.updateTable('audience_share').set({ state: 'removed' }).where('id', '=', share.id).execute()
  await cleanUp(db, after(0), { audit_days: 730 })
  expect((await me.get(`${LTA}${audience.id}/`)).status).toBe(404)
})

it('brings nothing back that is destroyed while it is sealed again', async () => {
  const audience = await filled(me, { advertiser, rows: people(0, 3) })
  await shareWith(api, audience)
  await me.post(`${LTA}erase/`, { advertiser, columns: COLUMNS, rows: people(7, 8) })
  const one = (await sealedErasures(db)).at(-1)
  const { id = 0, sealed } = one ?? {}
  await db.updateTable('erasure_account').set({ outcome: 'done' }).where('erasure', '=', id).execute()
  await inTransaction(db, trx => finishErasure(trx, id, after(0)))
  await replaceSealedRows(db, id, { before: sealed ?? Buffer.alloc(0), after: Buffer.from('sealed anew') })
  expect((await sealedErasures(db)).map(each => each.id)).not.toContain(id)
})

it('opens all rows with a new key once they are sealed again, and knows the people as before', async () => {
  const audience = await filled(me, { advertiser, rows: people(0, 3) })
  const shared = await filled(me, { advertiser, rows: people(5, 6) })
  await shareWith(api, shared)
  await me.post(`${LTA}erase/`, { advertiser, columns: ['email'], rows: [[personRow(8)[0] ?? '']] })
  const known = await memberKey(db, vault)
  const fresh = randomBytes(32)
  const both = createVault([fresh, key])
  const count = (await db.selectFrom('audience_chunk').select('id').execute()).length + 1
  expect(await resealMembers(db, both)).toEqual({ sealed: count, already: 0, unreadable: 0 })
  expect(await resealMembers(db, both)).toEqual({ sealed: 0, already: count, unreadable: 0 })

  const alone = createVault([fresh])
  expect(await memberKey(db, alone)).toEqual(known)
  const [chunk] = await chunksOf(audience)
  expect(chunk && openChunk(alone, chunk).rows).toEqual(people(0, 3))
  // The chunks, the erasure, and the key.
  const lost = createVault([randomBytes(32)])
  expect(await resealMembers(db, lost)).toEqual({ sealed: 0, already: 0, unreadable: count + 1 })
  // The rest of the tests of this file would need the old key: it is the last one.
  api.effects.vault = both
  await send(me, audience, batchOf(people(0, 4)))
  expect(await readAudience(me, audience)).toMatchObject({ rows: 4 })
})
