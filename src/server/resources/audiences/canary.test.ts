import { Writable } from 'node:stream'
import { sql } from 'kysely'
import pino from 'pino'
import { expect, it } from 'vitest'
import { routes } from '#server/app.ts'
import { createServer } from '#server/http/server.ts'
import { callerOf, testApi } from '#server/http/testing/api.ts'
import { batchOf, customerFile, hashOf, LTA, readAudience, shareWith } from './testing/members.ts'

/**
 * What identifies people stands nowhere but in seals: no column of any table holds it, neither as text nor as
 * bytes, and no line of the log, whatever becomes of a request.
 */
const api = await testApi()
const { db } = api
const me = await api.signedIn('staff')
const advertiser = await api.advertiser('Aurora', [me.user.id])

const CLEAR = ['mary.canary@example.com', '+886912345678', 'Mary Canary']
const HASHES = ['canary.one@mail.demo', 'canary.two@mail.demo', 'canary.three@mail.demo'].map(hashOf)
const [one = '', two = '', three = ''] = HASHES

it('finds neither an address nor its hash in database, log, trail or response', async () => {
  let log = ''
  const stream = new Writable({
    write(chunk, _, done) {
      log += String(chunk)
      done()
    },
  })
  const app = await createServer({
    db,
    effects: api.effects,
    routes,
    checks: {},
    now: () => api.clock.now,
    log: pino({ level: 'trace' }, stream),
    web_dir: null,
    max_event_loop_delay_ms: 0,
  })
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  const { post, get, delete: remove } = callerOf(origin, { authorization: `Bearer ${me.token}` })
  const audience = await customerFile(me, { advertiser })
  const doomed = await customerFile(me, { advertiser })
  const members = `${LTA}${audience.id}/members/`
  const columns = ['email', 'phone']
  const upload = batchOf([[one, two]], { columns, last: false })
  const json = { headers: { 'content-type': 'application/json' } }
  const responses = [
    await post(members, upload),
    await post(members, upload),
    await post(members, { ...upload, rows: [[three, '']] }),
    await post(members, { ...upload, seq: 2, last: true, rows: [[three, '']] }),
    await post(members, batchOf([[three, '']], { columns, action: 'remove' })),
    await post(`${LTA}${doomed.id}/members/`, batchOf([[one, two]], { columns })),
    await post(`${LTA}erase/`, { advertiser, columns, rows: [[three, '']] }),
    await get(`${LTA}${audience.id}/`),
    await get(`${LTA}${audience.id}/uploads/`),
    await get(`${LTA}${audience.id}/history/`),
    await get(`${LTA}erase/`),
    await remove(`${LTA}${doomed.id}/`, { version: 1 }),
  ]
  expect(responses.map(({ status }) => status)).toEqual([
    200, 200, 409, 200, 200, 200, 202, 200, 200, 200, 200, 204,
  ])
  await shareWith(api, audience)
  const left = batchOf([], { columns, rows: [] })
  for (const value of CLEAR)
    for (const body of [
      batchOf([[value, '']], { columns }),
      batchOf([[value.repeat(20), '']], { columns }),
      batchOf([[value]], { columns }),
      { ...left, rows: [value] },
      { ...left, rows: value },
      { ...left, columns: [value] },
      { ...left, session: value },
      { ...left, action: value },
      { ...left, seq: value },
      `{"rows": [["${value}", oops`,
      `{"rows": [["${value}"`,
      value,
    ]) {
      for (const path of [members, `${LTA}erase/`]) {
        const response = await post(path, body, typeof body === 'string' ? json : {})
        expect(response.status).toBe(400)
        responses.push(response)
      }
    }
  await app.close()
  expect(await readAudience(me, audience)).toMatchObject({ rows: 1 })

  const read = JSON.stringify(responses.map(({ body }) => body))
  const stored = await everyColumn()
  expect(log).toContain('/api/lta/:id/members/')
  expect(stored).toContain('audience.upload')
  for (const [text, name] of [
    [log, 'the log'],
    [read, 'a response'],
    [stored, 'a column'],
  ] as const)
    for (const secret of [...CLEAR, ...HASHES])
      // As text, as hex of its bytes, and as base64.
      for (const form of [
        secret,
        Buffer.from(secret).toString('hex'),
        Buffer.from(secret, 'hex').toString('base64'),
      ])
        expect([name, form !== '' && text.includes(form)]).toEqual([name, false])
})

/** Everything in the database as a backup has it, bytes as hex. */
async function everyColumn(): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`.execute(
    db,
  )
  const texts: string[] = []
  for (const { name } of tables) {
    const { rows } = await sql<{
      text: string
    }>`select t::text as text from ${sql.table(name)} t`.execute(db)
    texts.push(...rows.map(({ text }) => text))
  }
  return texts.join('\n')
}
