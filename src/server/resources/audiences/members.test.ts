import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { AUDIENCE_ROWS, HASH_OF_NOTHING, memberColumns, UPLOAD_OPEN_MS } from '#shared/audiences.ts'
import { cleanUp } from '#server/cleanup.ts'
import { expectRefusal, testApi, type Client } from '#server/http/testing/api.ts'
import { openChunk } from './chunk.ts'
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
const { db } = api
const me = await api.signedIn('staff')
const advertiser = await api.advertiser('Aurora', [me.user.id])
const draft = () => customerFile(me, { advertiser })

/** The rows of the list as it is stored, opened. */
async function stored({ id }: { id: number }): Promise<string[][]> {
  const chunks = await db
    .selectFrom('audience_chunk as chunk')
    .innerJoin('audience_upload as upload', 'upload.id', 'chunk.upload')
    .selectAll('chunk')
    .where('chunk.audience', '=', id)
    .where('upload.state', '=', 'taken')
    .where('upload.action', '<>', 'remove')
    .orderBy('chunk.id')
    .execute()
  return chunks.flatMap(chunk => openChunk(api.effects.vault, chunk).rows.map(row => [...row]))
}

const chunksOf = ({ id }: { id: number }) =>
  db.selectFrom('audience_chunk').selectAll().where('audience', '=', id).orderBy('id').execute()

describe('an upload', () => {
  it('acts when its last batch is taken, and not before', async () => {
    const audience = await draft()
    const upload = batchOf(people(0, 3), { last: false })
    const first = await send(me, audience, upload)
    expect([first.status, first.body]).toEqual([200, { seq: 1, rows: 3, stored: 3 }])
    expect(await readAudience(me, audience)).toMatchObject({ status: 'draft', rows: 0, last_upload: null })

    const counts = { valid: 5, duplicate: 1, no_identifier: 0, bad_email: 2, bad_phone: 0, no_consent: 0 }
    const last = { ...upload, seq: 2, last: true, rows: people(3, 5), counts }
    expect((await send(me, audience, last)).body).toEqual({ seq: 2, rows: 2, stored: 2 })
    const expires_at = new Date(api.clock.now.getTime() + 30 * 24 * 60 * 60_000).toISOString()
    expect(await readAudience(me, audience)).toMatchObject({
      status: 'ready',
      rows: 5,
      expires_at,
      confirmed_by: me.user.id,
      last_upload: { action: 'add', rows: 5, state: 'taken', counts, columns: COLUMNS },
    })
    expect(await stored(audience)).toEqual(people(0, 5))
    const { body } = await me.get(`${LTA}${audience.id}/uploads/`)
    expect(body).toEqual([(await readAudience(me, audience)).last_upload])
  })

  it('adds whom the list does not have yet, also within itself', async () => {
    const audience = await filled(me, { advertiser, rows: people(0, 4) })
    const upload = batchOf([...people(2, 6), personRow(5)], { last: false })
    await send(me, audience, upload)
    const last = { ...upload, seq: 2, last: true, rows: [personRow(4), personRow(7)] }
    expect((await send(me, audience, last)).body).toEqual({ seq: 2, rows: 2, stored: 2 })
    expect(await stored(audience)).toEqual([...people(0, 6), personRow(7)])
    expect(await readAudience(me, audience)).toMatchObject({ rows: 7 })
    // The same file again: nothing is left of it.
    await send(me, audience, batchOf(people(0, 4)))
    expect(await readAudience(me, audience)).toMatchObject({ rows: 7, last_upload: { rows: 4 } })
    expect(await stored(audience)).toHaveLength(7)
  })

  it('replaces the list as a whole', async () => {
    const audience = await filled(me, { advertiser, rows: people(0, 4) })
    await send(me, audience, batchOf([...people(3, 5), personRow(3)], { action: 'replace' }))
    expect(await stored(audience)).toEqual(people(3, 5))
    expect(await readAudience(me, audience)).toMatchObject({ rows: 2, last_upload: { action: 'replace' } })
  })

  it('removes people who share an address or a phone with one of its rows', async () => {
    const audience = await filled(me, { advertiser, rows: people(0, 6) })
    const before = await readAudience(me, audience)
    const [, , phone = ''] = personRow(4)
    const rows = [
      [personRow(1)[0] ?? '', ''],
      [hashOf('nobody@mail.demo'), phone],
    ]
    const removal = batchOf(rows, { action: 'remove', columns: ['email', 'phone'] })
    expect((await send(me, audience, removal)).body).toEqual({ seq: 1, rows: 2, stored: 2 })
    expect(await stored(audience)).toEqual([0, 2, 3, 5].map(personRow))
    const { rows: left, expires_at } = await readAudience(me, audience)
    // Who removes some does not keep the others for longer.
    expect([left, expires_at]).toEqual([4, before.expires_at])
    // It is shared with nobody, so they need not be sent anywhere.
    expect(await chunksOf(audience)).toHaveLength(1)
  })

  it('keeps whom it has removed until shares have sent that', async () => {
    const audience = await filled(me, { advertiser, rows: people(0, 3) })
    await shareWith(api, audience)
    await send(me, audience, batchOf(people(0, 1), { action: 'remove' }))
    const chunks = await chunksOf(audience)
    expect(chunks.map(chunk => openChunk(api.effects.vault, chunk).rows)).toEqual([
      people(1, 3),
      people(0, 1),
    ])
    // They may come back.
    await send(me, audience, batchOf(people(0, 1)))
    expect(await readAudience(me, audience)).toMatchObject({ rows: 3 })
  })

  it('wakes the shares that follow the list', async () => {
    const audience = await filled(me, { advertiser, rows: people(0, 1) })
    const shares = [
      await shareWith(api, audience),
      await shareWith(api, audience, { auto_sync: false }),
      await shareWith(api, audience, { state: 'failed' }),
    ]
    await send(me, audience, batchOf(people(1, 2)))
    const next = await db
      .selectFrom('audience_share')
      .select('next_at')
      .where('audience', '=', audience.id)
      .orderBy('id')
      .execute()
    expect(next.map(({ next_at }) => next_at)).toEqual([api.clock.now, null, null])
    const positions = await db
      .selectFrom('audience_upload')
      .select('position')
      .where('audience', '=', audience.id)
      .orderBy('created_at')
      .execute()
    expect(positions.map(({ position }) => Number(position)).toSorted((a, b) => a - b)).toHaveLength(2)
    expect(shares).toHaveLength(3)
  })

  it('takes 10,000 rows of ten hashes at once', async () => {
    const audience = await draft()
    const columns = memberColumns.slice(0, 10)
    const rows = Array.from({ length: 10_000 }, (_, n) => columns.map(column => hashOf(`${column} ${n}`)))
    const response = await send(me, audience, batchOf(rows, { columns }))
    expect(response.body).toEqual({ seq: 1, rows: 10_000, stored: 10_000 })
    const some = await stored(audience)
    expect([some.length, some[0], some.at(-1)]).toEqual([10_000, rows[0], rows.at(-1)])
  })

  it('leaves a line in the trail with counts alone', async () => {
    const audience = await filled(me, { advertiser, rows: people(0, 2) })
    const lines = await db
      .selectFrom('audit')
      .select(['action', 'actor', 'detail'])
      .where('object', '=', 'audience')
      .where('object_id', '=', String(audience.id))
      .orderBy('id')
      .execute()
    expect(lines.map(({ action }) => action)).toEqual(['audience.create', 'audience.upload'])
    expect(lines[1]).toMatchObject({ actor: me.user.id, detail: { action: 'add', rows: 2, counts: null } })
  })
})

describe('a batch that comes again', () => {
  it('is answered as before and stored once, before and after the upload was taken', async () => {
    const audience = await draft()
    const first = batchOf(people(0, 2), { last: false })
    const last = { ...first, seq: 2, last: true, rows: people(2, 3) }
    const answers = [await send(me, audience, first), await send(me, audience, first)]
    answers.push(
      await send(me, audience, last),
      await send(me, audience, last),
      await send(me, audience, first),
    )
    expect(answers.map(({ status, body }) => [status, Object(body).seq, Object(body).stored])).toEqual([
      [200, 1, 2],
      [200, 1, 2],
      [200, 2, 1],
      [200, 2, 1],
      [200, 1, 2],
    ])
    expect(await stored(audience)).toEqual(people(0, 3))
    expect(
      await db.selectFrom('audience_upload').selectAll().where('audience', '=', audience.id).execute(),
    ).toHaveLength(1)
  })

  it('with other content, or after a gap, is refused with the number that is expected', async () => {
    const audience = await draft()
    const first = batchOf(people(0, 2), { last: false })
    const gap = await send(me, audience, { ...first, seq: 2 })
    expectRefusal(gap, 409, 'upload_gap')
    expect(gap.body).toMatchObject({ expected: 1 })
    await send(me, audience, first)
    for (const other of [
      { ...first, rows: people(0, 3) },
      { ...first, last: true },
      { ...first, seq: 3 },
    ]) {
      const refused = await send(me, audience, other)
      expectRefusal(refused, 409, 'upload_gap')
      expect(refused.body).toMatchObject({ expected: 2 })
    }
    const other_columns = { ...first, seq: 2, columns: ['email'], rows: [[hashOf('a')]] }
    expectRefusal(await send(me, audience, other_columns), 400, 'invalid', {
      columns: ['field_invalid'],
    })
    expectRefusal(await send(me, audience, { ...first, seq: 2, action: 'replace' }), 400, 'invalid', {
      action: ['field_invalid'],
    })
    await send(me, audience, { ...first, seq: 2, last: true })
    expectRefusal(await send(me, audience, { ...first, seq: 3 }), 409, 'action_not_allowed')
  })

  it('twice at the same time is stored once', async () => {
    const audience = await draft()
    const batch = batchOf(people(0, 50))
    const answers = await Promise.all(Array.from({ length: 6 }, () => send(me, audience, batch)))
    expect(answers.map(({ status, body }) => [status, body])).toEqual(
      answers.map(() => [200, { seq: 1, rows: 50, stored: 50 }]),
    )
    expect(await stored(audience)).toEqual(people(0, 50))
  })

  it('is continued by the holder of the session after a process has died between batches', async () => {
    const audience = await draft()
    const first = batchOf(people(0, 2), { last: false })
    await send(me, audience, first)
    // Of the dead process nothing is left but what it had committed.
    const colleague = await api.signedIn('manager')
    await db.insertInto('advertiser_member').values({ advertiser, user_id: colleague.user.id }).execute()
    await send(colleague, audience, { ...first, seq: 2, rows: people(2, 3), last: true })
    expect(await stored(audience)).toEqual(people(0, 3))
  })
})

describe('a second upload', () => {
  it('waits until the open one has ended or is two hours old', async () => {
    const audience = await draft()
    const [one, two] = [batchOf(people(0, 1), { last: false }), batchOf(people(1, 2))]
    await send(me, audience, one)
    const refused = await send(me, audience, two)
    expectRefusal(refused, 409, 'upload_open')
    expect(Object.keys(Object(refused.body)).toSorted()).toEqual(
      ['code', 'detail', 'request_id', 'status', 'title', 'type'].toSorted(),
    )
    const long_ago = new Date(api.clock.now.getTime() - UPLOAD_OPEN_MS)
    await db
      .updateTable('audience_upload')
      .set({ last_modified_at: long_ago })
      .where('session', '=', one.session)
      .execute()
    expect((await send(me, audience, two)).status).toBe(200)
    expect(await stored(audience)).toEqual(people(1, 2))
    // What was dropped begins anew.
    expect((await send(me, audience, { ...one, seq: 2 })).body).toMatchObject({ expected: 1 })
    expect((await send(me, audience, { ...one, last: true })).status).toBe(200)
    expect(await stored(audience)).toHaveLength(2)
  })

  it('replaces the open one where the person who began that says so', async () => {
    const audience = await draft()
    const [one, two] = [batchOf(people(0, 1), { last: false }), batchOf(people(1, 2))]
    const instead = { ...two, instead_of: one.session }
    const colleague = await api.signedIn('manager')
    await db.insertInto('advertiser_member').values({ advertiser, user_id: colleague.user.id }).execute()
    await send(me, audience, one)
    expectRefusal(await send(colleague, audience, instead), 409, 'upload_open')
    expectRefusal(await send(me, audience, { ...two, instead_of: two.session }), 409, 'upload_open')
    expect((await send(me, audience, instead)).status).toBe(200)
    expect(await stored(audience)).toEqual(people(1, 2))
    // The same bytes again: the response may have been lost.
    expect((await send(me, audience, instead)).body).toEqual({ seq: 1, rows: 1, stored: 1 })
  })

  it('at the same moment: one of both is taken', async () => {
    const audience = await draft()
    const uploads = [0, 1, 2, 3].map(n => batchOf(people(n, n + 1), { last: false }))
    const answers = await Promise.all(uploads.map(each => send(me, audience, each)))
    const states = answers.map(({ status }) => status).toSorted((a, b) => a - b)
    expect(states).toEqual([200, 409, 409, 409])
    for (const each of answers.filter(({ status }) => status === 409)) expectRefusal(each, 409, 'upload_open')
  })

  it('is not kept waiting by one that the hourly job has dropped', async () => {
    const audience = await draft()
    await send(me, audience, batchOf(people(0, 1), { last: false }))
    const later = (ms: number) => new Date(api.clock.now.getTime() + ms)
    await cleanUp(db, later(UPLOAD_OPEN_MS - 1), { audit_days: 730 })
    expect(await chunksOf(audience)).toHaveLength(1)
    await cleanUp(db, later(UPLOAD_OPEN_MS), { audit_days: 730 })
    expect(await chunksOf(audience)).toEqual([])
    expect((await me.get(`${LTA}${audience.id}/uploads/`)).body).toMatchObject([
      { state: 'dropped', rows: 0 },
    ])
    expect((await send(me, audience, batchOf(people(1, 2)))).status).toBe(200)
  })
})

describe('what is refused', () => {
  const CLEAR = 'mary.canary@example.com'

  it.each([
    ['an address', CLEAR],
    ['a hash in capitals', 'A'.repeat(64)],
    ['a short hash', 'a'.repeat(63)],
    ['a hash with a blank', ` ${'a'.repeat(64)}`],
    ['the hash of nothing', HASH_OF_NOTHING],
  ])('%s as a value', async (_, value) => {
    const audience = await draft()
    const refused = await send(me, audience, batchOf([...people(0, 1), [value, '', '', '']]))
    expectRefusal(refused, 400, 'clear_text')
    expect(JSON.stringify(refused.body)).not.toContain(value)
    expect(await chunksOf(audience)).toEqual([])
  })

  it('too much in one batch', async () => {
    const audience = await draft()
    const many = Array.from({ length: 10_001 }, (_, n) => [hashOf(String(n))])
    const rows = await send(me, audience, batchOf(many, { columns: ['email'] }))
    expectRefusal(rows, 400, 'invalid', { rows: ['field_too_many'] })
    const columns = memberColumns.slice(0, 11)
    const wide = Array.from({ length: 9_091 }, () => columns.map(() => 'b'.repeat(64)))
    const hashes = await send(me, audience, batchOf(wide, { columns }))
    expectRefusal(hashes, 400, 'invalid', { rows: ['field_too_many'] })
    const body = JSON.stringify(batchOf([['x'.repeat(100)]], { pad: 'y'.repeat(8 * 1024 * 1024) }))
    const large = await me.post(`${LTA}${audience.id}/members/`, body, {
      headers: { 'content-type': 'application/json' },
    })
    expectRefusal(large, 413, 'payload_too_large')
    // Elsewhere a megabyte is enough.
    const elsewhere = await me.post(LTA, { name: 'x'.repeat(1024 * 1024) })
    expectRefusal(elsewhere, 413, 'payload_too_large')
    const values = await me.post(LTA, { name: Array.from({ length: 40_000 }, () => 1) })
    expectRefusal(values, 413, 'payload_too_large')
  })

  it('rows that do not fit their columns', async () => {
    const audience = await draft()
    for (const rows of [[personRow(1).slice(1)], [[...personRow(1), '']]])
      expectRefusal(await send(me, audience, batchOf(rows)), 400, 'invalid', {
        rows: ['field_invalid'],
      })
    const twice = batchOf([['', '']], { columns: ['email', 'email'] })
    expectRefusal(await send(me, audience, twice), 400, 'invalid', { columns: ['field_invalid'] })
  })

  it('an upload in which nobody can be found, of which nothing stays', async () => {
    const audience = await draft()
    const nameless = batchOf([[hashOf('amy')]], { columns: ['first_name'] })
    expectRefusal(await send(me, audience, nameless), 400, 'audience_empty')
    expectRefusal(await send(me, audience, batchOf([])), 400, 'audience_empty')
    const unidentified = batchOf([['', hashOf('amy')]], { columns: ['email', 'first_name'] })
    expectRefusal(await send(me, audience, unidentified), 400, 'audience_empty')
    expect(await readAudience(me, audience)).toMatchObject({ status: 'draft', rows: 0 })
    // None of them is in the way of the next.
    expect((await send(me, audience, batchOf(people(0, 1)))).status).toBe(200)
  })

  it('more than five million people', async () => {
    const audience = await filled(me, { advertiser, rows: people(0, 2) })
    const upload = batchOf(people(2, 4), { last: false })
    await send(me, audience, upload)
    await db
      .updateTable('audience_upload')
      .set({ rows: AUDIENCE_ROWS })
      .where('session', '=', upload.session)
      .execute()
    expectRefusal(await send(me, audience, { ...upload, seq: 2, rows: people(4, 5) }), 400, 'too_large')
    // With those whom the list has.
    await db
      .updateTable('audience_chunk')
      .set({ rows: AUDIENCE_ROWS })
      .where('audience', '=', audience.id)
      .execute()
    expectRefusal(await send(me, audience, batchOf(people(6, 7))), 400, 'too_large')
    expect(await chunksOf(audience)).toHaveLength(1)
    const { body } = await me.get(`${LTA}${audience.id}/uploads/`)
    const states = Array.from(Object(body), each => Object(each).state)
    expect(states.toSorted()).toEqual(['dropped', 'dropped', 'taken'])
  })

  it('rows for an audience of another kind, or of nobody’s list', async () => {
    const other = await customerFile(me, { advertiser })
    await db.updateTable('audience').set({ kind: 'website' }).where('id', '=', other.id).execute()
    expectRefusal(await send(me, other, batchOf(people(0, 1))), 409, 'action_not_allowed')
    const empty = await draft()
    expectRefusal(
      await send(me, empty, batchOf(people(0, 1), { action: 'remove' })),
      409,
      'action_not_allowed',
    )
    await db.updateTable('audience').set({ status: 'expired' }).where('id', '=', empty.id).execute()
    expectRefusal(await send(me, empty, batchOf(people(0, 1), { action: 'remove' })), 409, 'members_expired')
  })

  it('people whose consent nobody has said a word about', async () => {
    const { id } = (await me.post(LTA, { advertiser, kind: 'customer_file', name: randomUUID() })).body as {
      id: number
    }
    const silent = batchOf(people(0, 1))
    expectRefusal(await send(me, { id }, silent), 400, 'invalid', { basis: ['field_required'] })
    expect((await send(me, { id }, { ...silent, basis: 'Terms of the club' })).status).toBe(200)
    expect(await readAudience(me, { id })).toMatchObject({
      basis: 'Terms of the club',
      confirmed_by: me.user.id,
    })
    expect((await send(me, { id }, batchOf(people(1, 2)))).status).toBe(200)
  })

  it('a client’s upload without the plan, and anybody’s to another advertiser', async () => {
    const audience = await draft()
    const client = await api.signedIn('external_user')
    await db.insertInto('advertiser_member').values({ advertiser, user_id: client.user.id }).execute()
    expectRefusal(await send(client, audience, batchOf(people(0, 1))), 403, 'plan_needed')
    await db.updateTable('users').set({ plan: 1 }).where('id', '=', client.user.id).execute()
    expect((await send(client, audience, batchOf(people(0, 1)))).status).toBe(200)
    const outsider: Client = await api.signedIn('manager')
    expectRefusal(await send(outsider, audience, batchOf(people(0, 1))), 404, 'not_found')
  })
})
