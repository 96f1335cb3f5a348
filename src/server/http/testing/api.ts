import { randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, expect, inject } from 'vitest'
import type { IdentityName } from '#shared/access.ts'
import type { ErrorCode } from '#shared/errors.ts'
import { pageAccess, routes } from '#server/app.ts'
import type { Db } from '#server/db/connect.ts'
import { testDatabase } from '#server/db/testing/database.ts'
import { hashPassword } from '#server/resources/session/passwords.ts'
import { startFamily } from '#server/resources/session/queries.ts'
import type { Effects } from '#server/http/effects.ts'
import type { Hosts } from '#server/http/hosts.ts'
import type { Route } from '#server/http/route.ts'
import { createServer } from '#server/http/server.ts'
import type { PageRenderer } from '#server/rendering/renderer.ts'
import { quietEffects } from './quiet-effects.ts'

export interface TestApiOptions {
  effects?: Partial<Effects>
  routes?: readonly Route[]
  web_dir?: string
  pages?: PageRenderer
  trust_proxy?: number
  hosts?: Hosts
  request_ms?: number
  most_at_once?: number
  most_connections?: number
}

/** The API on a socket, over a database of its own. Call it once per test file. */
export async function testApi(options: TestApiOptions = {}) {
  const { db, pool, listen: onNotify } = await testDatabase()
  const clock = { now: new Date() }
  const files_dir = join(inject('test_folder'), `files-${randomUUID()}`)
  const effects: Effects = { ...quietEffects(randomBytes(32), files_dir), ...options.effects }
  const app = await createServer({
    db,
    effects,
    routes: options.routes ?? routes,
    checks: {},
    now: () => clock.now,
    log: false,
    web_dir: options.web_dir ?? null,
    ...(options.pages && {
      pages: { renderer: options.pages, accessOf: pageAccess(db, effects, () => clock.now) },
    }),
    trust_proxy: options.trust_proxy ?? 0,
    hosts: options.hosts ?? 'any',
    ...(options.request_ms !== undefined && { request_ms: options.request_ms }),
    max_event_loop_delay_ms: 0,
    // A test that sends a hundred at once is not about this limit.
    most_at_once: options.most_at_once ?? 1_000_000,
    ...(options.most_connections !== undefined && { most_connections: options.most_connections }),
  })
  const origin = await listen(app)
  const api = { db, pool, clock, effects, origin, app }
  return {
    ...api,
    /** Notifications of the database. */
    onNotify,
    /** Without a session. */
    anonymous: callerOf(origin, {}),
    /** With any bearer token. */
    bearing: (token: string) => callerOf(origin, { authorization: `Bearer ${token}` }),
    signedIn: (identity: IdentityName, person: PersonFacts = {}) => signedIn(api, identity, person),
    /** A client, alone at an advertiser of their own. */
    client: async (facts: PersonFacts = {}) => {
      const person = await signedIn(api, 'external_user', facts)
      const of = await advertiser(db, `Client ${person.user.username}`, [person.user.id])
      return { ...person, advertiser: of }
    },
    advertiser: (name: string, members: readonly number[] = []) => advertiser(db, name, members),
    account: (facts: AccountFacts) => account(db, facts),
  }
}
export type TestApi = Awaited<ReturnType<typeof testApi>>

async function listen(app: FastifyInstance): Promise<string> {
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  afterAll(() => app.close())
  return origin
}

/** A response as a test reads it. */
export interface ApiResponse {
  status: number
  headers: Headers
  /** Parsed JSON; the text of anything else. */
  body: unknown
}

type CallOptions = { headers?: Record<string, string> }

export function callerOf(origin: string, headers: Record<string, string>) {
  const call = async (
    method: string,
    path: string,
    body?: unknown,
    extra: CallOptions = {},
  ): Promise<ApiResponse> => {
    const isForm = body instanceof FormData
    const response = await fetch(origin + path, {
      method,
      headers: {
        ...headers,
        ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
        ...extra.headers,
      },
      body:
        body === undefined
          ? null
          : isForm
            ? body
            : extra.headers?.['content-type']
              ? String(body)
              : JSON.stringify(body),
    })
    const text = await response.text()
    const isJson = /json/.test(response.headers.get('content-type') ?? '')
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
  }
  return {
    call,
    get: (path: string, extra?: CallOptions) => call('GET', path, undefined, extra),
    post: (path: string, body: unknown = {}, extra?: CallOptions) => call('POST', path, body, extra),
    patch: (path: string, body: unknown, extra?: CallOptions) => call('PATCH', path, body, extra),
    delete: (path: string, body?: unknown, extra?: CallOptions) => call('DELETE', path, body, extra),
  }
}

export interface PersonFacts {
  username?: string
  password?: string
  department?: number
  email?: string
  email_confirmed?: boolean
  full_name?: string
}

async function signedIn(
  { db, clock, effects, origin }: { db: Db; clock: { now: Date }; effects: Effects; origin: string },
  identity: IdentityName,
  { password, ...facts }: PersonFacts,
) {
  const user = await db
    .insertInto('users')
    .values({
      username: `${identity}-${randomUUID().slice(0, 8)}`,
      identity,
      user_type: identity === 'external_user' ? 2 : 1,
      password_hash: password === undefined ? null : await hashPassword(password),
      ...facts,
    })
    .returning(['id', 'username', 'identity', 'department'])
    .executeTakeFirstOrThrow()
  const claims = await db.transaction().execute(trx => startFamily(trx, user.id, asOf(clock.now)))
  const token = await effects.tokens.signAccess(claims, clock.now)
  const caller = callerOf(origin, { authorization: `Bearer ${token}` })
  const make = async (path: string, body: object) => {
    const answer = await caller.post(path, body)
    expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 201 })
    return answer.body as { id: number; version: number }
  }
  return {
    ...caller,
    user,
    token,
    claims,
    folder: (overrides: { name?: string; parent?: number | null } = {}) =>
      make('/api/gs-template-folder/', { name: `Folder ${randomUUID().slice(0, 8)}`, ...overrides }),
    report: (overrides: object = {}) => make('/api/gs-template-setting/', { name: 'A report', ...overrides }),
  }
}
/** A session of no browser. */
export const asOf = (now: Date) => ({ now, session_days: 30, address: null, user_agent: null })

export type Client = Awaited<ReturnType<typeof signedIn>>

async function advertiser(db: Db, name: string, members: readonly number[]): Promise<number> {
  const { id } = await db.insertInto('advertiser').values({ name }).returning('id').executeTakeFirstOrThrow()
  for (const user_id of members)
    await db.insertInto('advertiser_member').values({ advertiser: id, user_id }).execute()
  return id
}

interface AccountFacts {
  advertiser: number | null
  name?: string
  external_id?: string
  currency?: string
  channel?: 'fb' | 'ga4'
  provider?: 'meta' | 'ga4'
  status?: string
}

async function account(db: Db, { advertiser: of, ...facts }: AccountFacts): Promise<number> {
  const { id } = await db
    .insertInto('ad_account')
    .values({
      channel: 'fb',
      provider: 'meta',
      external_id: randomUUID(),
      name: 'An account',
      currency: 'TWD',
      timezone: 'Asia/Taipei',
      advertiser: of,
      ...facts,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Whether the response is this refusal, with these field errors. */
export function expectRefusal(
  answer: ApiResponse,
  status: number,
  code: ErrorCode,
  fields: Record<string, readonly ErrorCode[]> = {},
): void {
  expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/)
  expect({ status: answer.status, body: answer.body }).toMatchObject({ status, body: { status, code } })
  const { codes = {} } = answer.body as { codes?: unknown }
  expect(codes).toEqual(fields)
  for (const field of Object.keys(fields))
    if (field !== 'status') expect(answer.body).toHaveProperty([field, 0], expect.any(String))
}
