import { describe, expect, test } from 'vitest'
import { hashedIdentifier } from '#sandbox/dataset/mail-people.ts'
import { startClient } from '#sandbox/testing/meta.ts'
import {
  audienceCalls,
  errorOf,
  OUTLET,
  rowsOf,
  stateOf,
  TAIPEI,
  upTo,
} from '#sandbox/testing/meta-audiences.ts'
import { resetAfterEach } from '#sandbox/testing/reset.ts'

const client = resetAfterEach(await startClient())
const { create, add, upload, read, fill } = audienceCalls(client)
const MINUTE = 60_000

const session = (batch_seq: number, last_batch_flag = false, session_id = 7301) => ({
  session_id,
  batch_seq,
  last_batch_flag,
})
const members = async (id: string) => {
  fill()
  return stateOf(await read(id))
}

describe('adding people', () => {
  test('matches each of them once, by any hash, and shows it when it is filled', async () => {
    const id = await create()
    await add(id, upTo(5000))
    const onlyPhones = rowsOf(upTo(100)).map(([, phone = '']) => ['', phone])
    await upload(`${id}/users`, onlyPhones)
    expect(stateOf(await read(id))).toEqual([441, 300, 0, 0])
    expect(await members(id)).toEqual([200, 200, 3400, 3600])
  })

  test.each([
    [120, [200, 300, 0, 100]],
    [100_000, [200, 200, 68_600, 71_400]],
  ])('of %i people gives the size to hundreds', async (count, expected) => {
    const id = await create()
    for (let from = 0; from < count; from += 10_000) await add(id, upTo(Math.min(10_000, count - from), from))
    expect(await members(id)).toEqual(expected)
  })

  test('counts what the session has received, and repeats what is no hash', async () => {
    const id = await create()
    const rows = [...rowsOf(upTo(2)), ['mary@mail.demo', ''], ['', ''], ['only one']]
    const { body } = await upload(`${id}/users`, rows, session(1))
    expect(body).toEqual({
      audience_id: id,
      session_id: '7301',
      num_received: 5,
      num_invalid_entries: 3,
      invalid_entry_samples: {
        '["mary@mail.demo",""]': 'Invalid hash for EMAIL',
        '["",""]': 'Empty entry',
        '["only one"]': 'The number of values differs from that of the schema',
      },
    })
    const next = await upload(`${id}/users`, rowsOf([2]), session(2, true))
    expect(next.body).toMatchObject({ num_received: 6, num_invalid_entries: 3 })
  })

  test('takes capital letters, and a single key without lists', async () => {
    const id = await create()
    const capital = rowsOf(upTo(120)).map(([email = '']) => email.toUpperCase())
    const { body } = await client.post(`${id}/users`, {
      payload: { schema: 'EMAIL_SHA256', data: capital },
    })
    expect(body).toMatchObject({ num_received: 120, num_invalid_entries: 0 })
  })

  test('refuses more than 10,000 rows, unknown keys and a body without a payload', async () => {
    const id = await create()
    const of = (payload: object) => client.post(`${id}/users`, { payload })
    expect(errorOf(await upload(`${id}/users`, rowsOf(upTo(10_001))))).toEqual([100, undefined])
    expect(errorOf(await of({ schema: ['SHOE'], data: [['1']] }))).toEqual([100, undefined])
    expect(errorOf(await of({ schema: ['EMAIL'], data: [] }))).toEqual([100, undefined])
    expect(errorOf(await client.post(`${id}/users`))).toEqual([194, undefined])
    expect((await of({ schema: ['MADID'], data: [['1']] })).status).toBe(501)
  })
})

describe('a session', () => {
  test('takes its batches in order, and one again', async () => {
    const id = await create()
    expect(errorOf(await upload(`${id}/users`, rowsOf([1]), session(2)))).toEqual([2650, 1_870_147])
    await upload(`${id}/users`, rowsOf([1]), session(1))
    expect(errorOf(await upload(`${id}/users`, rowsOf([3]), session(3)))).toEqual([100, undefined])
    expect((await upload(`${id}/users`, rowsOf([1]), session(1))).body.num_received).toBe(2)
  })

  test('has one schema, one change, and an id of its own in the account', async () => {
    const id = await create()
    await upload(`${id}/users`, rowsOf([1]), session(1))
    const other = { payload: { schema: ['EMAIL'], data: [['0'.repeat(64)]] }, session: session(2) }
    expect(errorOf(await client.post(`${id}/users`, other))).toEqual([100, undefined])
    const remove = { method: 'DELETE' }
    expect(errorOf(await upload(`${id}/users`, rowsOf([1]), session(2), remove))).toEqual([100, undefined])
    expect(errorOf(await upload(`${await create('Two')}/users`, rowsOf([1]), session(1)))[0]).toBe(100)
    const elsewhere = await create('Three', OUTLET)
    expect((await upload(`${elsewhere}/users`, rowsOf([1]), session(1))).status).toBe(200)
  })

  test('drops what comes after its last batch, or after 90 minutes', async () => {
    const id = await create()
    await upload(`${id}/users`, rowsOf(upTo(200)), session(1, true))
    expect((await upload(`${id}/users`, rowsOf(upTo(2000)), session(2))).body.num_received).toBe(200)
    await upload(`${id}/users`, rowsOf([0]), session(1, false, 7302))
    fill(89 * MINUTE)
    expect((await upload(`${id}/users`, rowsOf([1]), session(2, false, 7302))).body.num_received).toBe(2)
    fill(MINUTE)
    const late = await upload(`${id}/users`, rowsOf(upTo(2000)), session(3, true, 7302))
    expect(late.body.num_received).toBe(2)
    expect(await members(id)).toEqual([200, 200, 100, 200])
  })

  test.each([
    [{ session_id: 0, batch_seq: 1 }],
    [{ session_id: 'seven', batch_seq: 1 }],
    [{ session_id: 7, batch_seq: 0 }],
    [{ session_id: 7, batch_seq: 1, last_batch_flag: 'yes' }],
    [{ session_id: 7, batch_seq: 1, estimated_num_total: -1 }],
  ])('refuses %o', async wrong => {
    expect(errorOf(await upload(`${await create()}/users`, rowsOf([1]), wrong))).toEqual([100, undefined])
  })
})

describe('removing people', () => {
  test('takes them out of one audience, by POST with a method or by DELETE', async () => {
    const id = await create()
    await add(id, upTo(1000))
    await upload(`${id}/users`, rowsOf(upTo(500)), undefined, { method: 'DELETE' })
    expect(await members(id)).toEqual([200, 200, 300, 400])
  })

  test('takes 500 of them in the address of a DELETE, as the official client sends them', async () => {
    const id = await create()
    await add(id, upTo(1000))
    const payload = { schema: ['EMAIL', 'PHONE'], data: rowsOf(upTo(500)) }
    const query = new URLSearchParams({ payload: JSON.stringify(payload), access_token: 'sandbox-admin' })
    const { status } = await fetch(`${client.sandbox.origin}/v25.0/${id}/users?${query}`, {
      method: 'DELETE',
    })
    expect(status).toBe(200)
    expect(await members(id)).toEqual([200, 200, 300, 400])
  })

  test('takes them out of every customer file of the account', async () => {
    const [one, two, elsewhere] = [await create('One'), await create('Two'), await create('Three', OUTLET)]
    for (const id of [one, two, elsewhere]) await add(id, upTo(1000))
    const gone = { payload: { schema: ['EMAIL'], data: upTo(1000).map(emailOf) }, method: 'DELETE' }
    const { status, body } = await client.post(`${TAIPEI}/usersofanyaudience`, gone)
    expect([status, body.num_received]).toEqual([200, 1000])
    expect(await members(one)).toEqual([200, 300, 0, 0])
    expect(await members(two)).toEqual([200, 300, 0, 0])
    expect(await members(elsewhere)).toEqual([200, 200, 600, 800])
    const add4 = { payload: gone.payload }
    expect((await client.post(`${TAIPEI}/usersofanyaudience`, add4)).status).toBe(501)
  })
})

const emailOf = (person: number) => [hashedIdentifier(person, 'email')]

describe('replacing people', () => {
  const replace = (id: string, people: Iterable<number>, at: object) =>
    upload(`${id}/usersreplace`, rowsOf(people), at)

  test('exchanges them when the last batch has come; until then all other changes wait', async () => {
    const id = await create()
    await add(id, upTo(1000))
    expect(errorOf(await replace(id, [1], session(1)))).toEqual([2650, 1_870_148])
    fill()
    await replace(id, upTo(2000, 5000), session(1))
    expect(stateOf(await read(id))).toEqual([414, 200, 600, 800])
    expect(errorOf(await add(id, [1]))).toEqual([2650, 1_870_145])
    expect(errorOf(await replace(id, [1], session(1, true, 7302)))).toEqual([2650, 1_870_145])
    await replace(id, upTo(1000, 7000), session(2, true))
    expect(stateOf(await read(id))).toEqual([414, 200, 600, 800])
    expect(await members(id)).toEqual([200, 200, 2000, 2200])
  })

  test('takes a batch again, but not the first', async () => {
    const id = await create()
    expect(errorOf(await upload(`${id}/usersreplace`, rowsOf([1])))).toEqual([194, undefined])
    expect(errorOf(await replace(id, [1], session(2)))).toEqual([2650, 1_870_147])
    await replace(id, upTo(200), session(1))
    expect(errorOf(await replace(id, upTo(200), session(1)))).toEqual([2650, 1_870_145])
    for (let time = 0; time < 2; time += 1)
      expect((await replace(id, upTo(300), session(2))).status).toBe(200)
    await replace(id, upTo(400), session(3, true))
    expect(errorOf(await replace(id, upTo(400), session(3, true)))).toEqual([2650, 1_870_159])
    expect(await members(id)).toEqual([200, 200, 200, 300])
  })

  test('ends after 90 minutes with what has come', async () => {
    const id = await create()
    await replace(id, upTo(1000), session(1))
    fill(90 * MINUTE)
    expect(errorOf(await replace(id, upTo(1000, 1000), session(2, true)))).toEqual([2650, 1_870_158])
    expect(stateOf(await read(id))).toEqual([414, 300, 0, 0])
    expect(await members(id)).toEqual([200, 200, 600, 800])
  })
})

describe('the log', () => {
  test('has counts of what was uploaded, and no hash', async () => {
    const id = await create()
    await upload(`${id}/users`, rowsOf(upTo(10)), session(1))
    const query = new URLSearchParams({ payload: JSON.stringify({ schema: ['EMAIL'], data: [emailOf(7)] }) })
    await client.get(`${id}/users?${query}&access_token=x#`)
    const { body } = await client.control('GET', 'requests')
    expect(body.requests.find((each: { path: string }) => each.path.endsWith('/users'))).toMatchObject({
      platform: 'meta',
      counts: { rows: 10, columns: 2, batch: 1 },
    })
    expect(JSON.stringify(body)).not.toMatch(/[0-9a-f]{64}/)
  })
})
