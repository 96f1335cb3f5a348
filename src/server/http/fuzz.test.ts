import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { SEED, randomOf, type Random } from '#server/testing/random.ts'
import { z } from 'zod'
import { routes } from '#server/app.ts'
import { PlatformFailure } from '#server/connectors/connector.ts'
import { sandboxHosts } from '#server/connectors/testing/context.ts'
import { createTokenCache } from '#server/connectors/kit/tokens.ts'
import { createPreviews } from '#server/resources/preview/create-previews.ts'
import { shareWith } from '#server/resources/audiences/testing/members.ts'
import { testApi, type Client } from './testing/api.ts'

/**
 * Requests made out of the schemas of the routes: near-valid ones, with a hostile value here or there, in any
 * order, by several people with the same few ids. Each gets a response of the API, never an internal error.
 */
const REQUESTS = process.env.LONG ? 100_000 : 1000

const api = await testApi()
// The real ones, of an agency without credentials: a stand-in that is always busy would be called sooner or
// later, whatever the product does.
api.effects.preview = createPreviews(
  {
    sourceOf: () => Promise.reject(new PlatformFailure('credential_missing')),
    hosts: sandboxHosts('http://127.0.0.1:1'),
    tokens: createTokenCache(() => api.clock.now),
    limiter: { acquire: async () => {}, report: async () => {} },
    fetch: () => Promise.reject(new Error('no platform is called without a login')),
  },
  { stopping: api.effects.stopping },
)

it('a preview of a report that lacks its channels gets a response (SEEDS 1354737801 and 1354737802)', async () => {
  const client = await api.signedIn('external_user')
  for (const body of [
    {
      header_language: 'en',
      fill_zero: true,
      dimensions: ['ga_account', 'account_id'],
      update_time: '09:15:00',
    },
    {
      spreadsheet_url: 'Data',
      start_cell: 'name',
      header_language: 'en',
      fill_zero: false,
      update_frequency: 2,
      update_time: '09:15:00',
      update_day_of_month: 5,
    },
  ]) {
    const response = await client.post('/api/gs-template-setting/preview/', body)
    expect(response).toMatchObject({ status: 200, body: { code: 'channels_not_set' } })
  }
})

it(`${REQUESTS} requests all get a response of the API`, async () => {
  const random = randomOf(SEED)
  const people = [
    await api.signedIn('superuser'),
    await api.signedIn('manager'),
    await api.signedIn('external_user'),
  ]
  const advertiser = await api.advertiser(
    'Fuzz',
    people.map(({ user }) => user.id),
  )
  const account = await api.account({ advertiser })
  for (const person of people) await person.folder()
  await people[0]?.report({ channels: [{ channel: 'fb', accounts: [account], metrics: ['cost'] }] })

  await audiencesFor(advertiser, account)

  // A response without end, and what would end the session or the account of the caller.
  const fuzzed = routes.filter(({ path }) => !/events|logout|\/api\/user\/:id\/$|demo/.test(path))
  const statuses = new Map<number, number>()
  for (let sent = 0; sent < REQUESTS; sent += 20) {
    const batch = Array.from({ length: 20 }, () => requestFor(pick(random, fuzzed), random))
    await Promise.all(
      batch.map(async request => {
        const who = pick(random, people)
        const { status, body } = await send(who, request)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        expect(
          status,
          `${JSON.stringify(request)} by ${who.user.identity}: ${JSON.stringify(body)}`,
        ).toBeLessThan(500)
        expect(JSON.stringify(body)).not.toMatch(/\.ts:\d|at async|node_modules/)
      }),
    )
  }
  // Near-valid enough to be accepted, hostile enough to be refused.
  expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 201, 400, 404]))
})

/** What calls about audiences and business managers can name: their ids are among those that are called. */
async function audiencesFor(advertiser: number, account: number) {
  const { db, clock } = api
  const pixels = JSON.stringify([{ platform: 'meta', id: '1' }])
  await db.insertInto('site').values({ advertiser, name: 'Shop', url: 'https://shop.demo', pixels }).execute()
  for (const name of ['One', 'Two', 'Three']) {
    const facts = { advertiser, kind: 'customer_file', status: 'ready', basis: 'Terms', name } as const
    const audience = await db.insertInto('audience').values(facts).returning('id').executeTakeFirstOrThrow()
    await shareWith(api, { ...audience, advertiser }, { account, state: name === 'One' ? 'failed' : 'ready' })
    const { id: business } = await db
      .insertInto('business')
      .values({ external_id: name, name })
      .returning('id')
      .executeTakeFirstOrThrow()
    const row = { relation: 'client', status: 1, currency: 'TWD', timezone: 'UTC' } as const
    await db
      .insertInto('business_ad_account')
      .values({ business, account: name, name, ...row, listed_at: clock.now })
      .execute()
  }
}

interface Request {
  method: string
  path: string
  body: unknown
}

function requestFor(route: (typeof routes)[number], random: Random): Request {
  const { facts, method } = route
  const path = route.path.replaceAll(/:\w+/g, () =>
    encodeURIComponent(written(random() < 0.9 ? 1 + Math.floor(random() * 12) : pick(random, hostile))),
  )
  const query = facts.query ? queryOf(valueOf(jsonSchema(facts.query), random)) : ''
  const body = facts.body ? valueOf(jsonSchema(facts.body), random) : undefined
  return { method, path: path + query, body }
}

/**
 * Retries, as a client does, where the response says that the server is too busy: the database may be, on a
 * busy machine.
 */
async function send(who: Client, { method, path, body }: Request) {
  for (let tries = 1; ; tries++) {
    const response = await who.call(method, path, body).catch((error: unknown) => {
      throw new Error(`${method} ${path} ${JSON.stringify(body)} was broken off`, { cause: error })
    })
    if (response.status !== 503 || tries === 5) return response
    await sleep(500 * tries)
  }
}

function queryOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return ''
  return `?${new URLSearchParams(Object.entries(value).map(([name, one]) => [name, written(one)]))}`
}

const written = (value: unknown) =>
  typeof value === 'string' ? value.toWellFormed() : (JSON.stringify(value) ?? '')

/** The headers that are most often forgotten. */
const hostile: readonly unknown[] = [
  null,
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\uD800',
  '💥'.repeat(200),
  'x'.repeat(5000),
  "'; drop table users; --",
  '../../etc/passwd',
  '%',
  '\\',
  '{{7*7}}',
  '=1+1',
  '<script>alert(1)</script>',
  '__proto__',
  'constructor',
  '0000-01-01',
  '9999-12-31',
  '2026-02-30',
  '2026-11-01',
  '-1',
  '0',
  '1e9',
  'NaN',
  'Infinity',
  '99999999999999999999',
  0,
  -1,
  1.5,
  2 ** 31,
  2 ** 53,
  1e308,
  true,
  false,
  [],
  [[]],
  [null],
  {},
  { length: 1e9 },
  { toString: 'x' },
  { $ne: null },
]

type Schema = z.core.JSONSchema.BaseSchema
const schemas = new Map<z.ZodType, Schema>()
function jsonSchema(type: z.ZodType): Schema {
  const known = schemas.get(type) ?? z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' })
  schemas.set(type, known)
  return known
}

/** A value of the schema, hostile at about one place in twelve. */
function valueOf(schema: Schema | boolean | undefined, random: Random): unknown {
  if (typeof schema !== 'object' || random() < 0.08) return pick(random, hostile)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return pick(random, schema.enum)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return valueOf(pick(random, choices), random)
  switch (schema.type) {
    case 'object':
      return objectOf(schema, random)
    case 'array': {
      const { items } = schema
      const length = Math.floor(random() * 4)
      return Array.from({ length }, () => valueOf(Array.isArray(items) ? items[0] : items, random))
    }
    case 'integer':
    case 'number':
      return Math.floor(random() * 14)
    case 'boolean':
      return random() < 0.5
    case 'string':
      return textOf(schema, random)
    default:
      return pick(random, hostile)
  }
}

function objectOf({ properties = {}, required = [] }: Schema, random: Random) {
  const names = Object.keys(properties).filter(name =>
    required.includes(name) ? random() < 0.97 : random() < 0.6,
  )
  const entries = names.map(name => [name, valueOf(properties[name], random)] as const)
  return Object.fromEntries(random() < 0.04 ? [...entries, ['surplus', 1]] : entries)
}

function textOf({ format, pattern }: Schema, random: Random): string {
  if (format === 'date') return pick(random, ['2026-11-01', '2026-11-30', '2024-01-01', '2027-01-01'])
  if (format === 'date-time') return '2026-11-01T00:00:00Z'
  if (format === 'email') return pick(random, ['a@example.com', 'b@example.com'])
  if (format === 'uuid') return crypto.randomUUID()
  if (pattern?.includes(':(00|15')) return '09:15:00'
  if (pattern?.includes('0-9a-f]{64}')) return pick(random, ['', 'a'.repeat(64), 'b'.repeat(64)])
  if (pattern === '^[A-Z]{3}$') return pick(random, ['TWD', 'USD', 'JPY'])
  if (pattern) return String(Math.floor(random() * 14))
  return pick(random, [
    'A1',
    'C4',
    'Data',
    'Asia/Taipei',
    'name',
    '品牌',
    'cost',
    'impressions',
    '1AbCdEfGhIjKlMnOpQrStUvWxYz0123456789',
  ])
}

function pick<T>(random: Random, from: readonly T[]): T {
  const one = from[Math.floor(random() * from.length)]
  if (one === undefined) throw new Error('nothing to pick from')
  return one
}
