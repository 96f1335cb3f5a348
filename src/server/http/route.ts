import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { mayReach, type Reach } from '#shared/access.ts'
import type { Db } from '#server/db/connect.ts'
import { readAs, readerOf } from '#server/db/reader.ts'
import { inTransaction, type Trx } from '#server/db/transaction.ts'
import type { RequestSlot } from './capacity.ts'
import { clearCookiesOf } from './cookies.ts'
import { sendCsv, type CsvFile } from './csv.ts'
import type { Effects } from './effects.ts'
import { parseFields, parsePath, refuseNul, refuseUnknown } from './parse.ts'
import { refuse } from './refusal.ts'
import { findSignedIn, mustSetUpSecondFactor, sessionsSince, type SignedInUser } from './session.ts'
import type { RequestKind } from './request-limits.ts'
import type { AccessClaims } from './tokens.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

type Shape = z.ZodType<Record<string, unknown>>

/** What a route declares beside its level. */
export interface RouteFacts<
  Params extends Shape = Shape,
  Query extends Shape = Shape,
  Body extends z.ZodType = z.ZodType,
  Reply extends z.ZodType = z.ZodType,
> {
  /** One line for the documentation. */
  summary: string
  params?: Params
  query?: Query
  body?: Body
  /** The body may also come as multipart/form-data: texts as texts, files as `File`. */
  takes_form?: true
  /** These texts and a file come as multipart/form-data, which `run` reads with receive-upload.ts. */
  streams_form?: z.ZodObject
  /** Of its form, in bytes, where that is more than a picture. */
  largest_file?: number
  /** Of its JSON, where that is more than a form of ours has. */
  largest_json?: { bytes: number; values: number }
  /** Left out: 204 without a body, or `run` has sent the response itself. */
  reply?: Reply
  /** Also for people whose role needs a second factor that they have not set up yet. */
  before_second_factor?: true
  /** Of success; default 200, or 204 without a reply schema. */
  status?: number
  /** Of another success, which `run` sends itself. */
  also_status?: number
  /** The same under a second path. */
  alias?: string
  /**
   * Which of a person's limits applies, where that does not follow from the request: what changes something
   * is a write, `?format=csv` an export, a `search` a search, anything else a read. null: none.
   */
  kind?: RequestKind | null
  /**
   * The database itself restricts the rows to those of the asking person (db/reader.ts). every: this read
   * needs rows that they may not see, and its own code is responsible for what it reveals.
   */
  rows?: 'every'
}

/** What every route gets. */
interface Surroundings {
  now: Date
  effects: Effects
  request: FastifyRequest
  reply: FastifyReply
  slot: RequestSlot
}

interface Input<Params extends Shape, Query extends Shape, Body extends z.ZodType> extends Surroundings {
  params: z.output<Params>
  query: z.output<Query>
  body: z.output<Body>
}

/**
 * `transaction` request (default): all of `run` is one transaction, which may be run again and which a
 * refusal undoes. own: `run` opens its own, since it waits for something outside, or keeps what it has
 * written although it refuses.
 */
type Spec<
  Params extends Shape,
  Query extends Shape,
  Body extends z.ZodType,
  Reply extends z.ZodType,
> = RouteFacts<Params, Query, Body, Reply> &
  (
    | Variant<'public', 'request', Input<Params, Query, Body> & { db: Trx }, Reply>
    | Variant<'public', 'own', Input<Params, Query, Body> & { db: Db }, Reply>
    | (WithCsv<Params, Query, Body> &
        (
          | Variant<Reach, 'request', Input<Params, Query, Body> & { db: Trx; user: SignedInUser }, Reply>
          | Variant<Reach, 'own', Input<Params, Query, Body> & { db: Db; user: SignedInUser }, Reply>
        ))
  )

/**
 * Of a list: all of it, filtered and ordered, for `?format=csv`. Read without a transaction, batch by batch.
 */
interface WithCsv<Params extends Shape, Query extends Shape, Body extends z.ZodType> {
  csv?(given: Input<Params, Query, Body> & { db: Db; user: SignedInUser }): Promise<CsvFile>
}

type Variant<Level, Kind extends 'request' | 'own', Given, Reply extends z.ZodType> = {
  level: Level
  run(given: Given): Promise<z.output<Reply>>
} & (Kind extends 'own' ? { transaction: 'own' } : { transaction?: 'request' })

const nothing = z.strictObject({})
type Nothing = typeof nothing

/** A declared route, ready to be registered. */
export interface Route {
  method: Method
  path: string
  level: Reach | 'public'
  facts: RouteFacts
  /** Authenticates the caller, refuses them or reads the request by the schemas, and runs. */
  respond(raw: RawRequest): Promise<unknown>
}

export type RawRequest = Surroundings & {
  db: Db
  /** Of the bearer token; null without a valid one. */
  claims: AccessClaims | null
  /** Whether the database has the role in which rows are read for people. */
  has_reader: boolean
}

/**
 * Declares one call of the API. Its `level` cannot be left out; `run` checks access to rows by
 * shared/access.ts. Refuse with `throw refuse(code)`.
 */
export function route<
  Params extends Shape = Nothing,
  Query extends Shape = Nothing,
  Body extends z.ZodType = Nothing,
  Reply extends z.ZodType = z.ZodVoid,
>(method: Method, path: string, spec: Spec<Params, Query, Body, Reply>): Route {
  const csv = spec.level !== 'public' && 'csv' in spec ? spec.csv : undefined
  const query = csv ? withFormat(orNothing(spec.query)) : orNothing(spec.query)
  const read = reader(orNothing(spec.params), query, orNothing(spec.body))
  const isReader = (raw: RawRequest) => method === 'GET' && spec.rows === undefined && raw.has_reader
  return {
    method,
    path,
    level: spec.level,
    facts: csv ? { ...spec, query } : spec,
    respond: raw => withinLimits(raw, spec, () => respond(raw)),
  }

  async function respond(raw: RawRequest): Promise<unknown> {
    if (csv && spec.level !== 'public' && asksForCsv(raw.request.query)) {
      const user = await admit(raw.db, raw, spec)
      const db = isReader(raw) ? readerOf(raw.db, user) : raw.db
      const { requestLimits, settings, noteExport } = raw.effects
      const input = read(raw)
      const file = await csv({ ...input, db, user })
      // From here on it takes as long as the client takes to read.
      raw.slot.release()
      const line = { actor: user.id, path, query: input.query, address: raw.request.ip, now: raw.now }
      return await sendCsv(raw.reply, file, {
        language: user.language,
        time_zone: settings.time_zone,
        batch: work => requestLimits.batch(user.id, work),
        note: exported => noteExport(raw.db, { ...line, ...exported }),
      })
    }
    if (spec.transaction === 'own') {
      if (spec.level === 'public') return await spec.run({ ...read(raw), db: raw.db })
      const user = await admit(raw.db, raw, spec)
      const db = isReader(raw) ? readerOf(raw.db, user) : raw.db
      return await spec.run({ ...read(raw), db, user })
    }
    return await inTransaction(raw.db, async trx => {
      if (spec.level === 'public') return await spec.run({ ...read(raw), db: trx })
      const user = await admit(trx, raw, spec)
      if (isReader(raw)) await readAs(trx, user)
      return await spec.run({ ...read(raw), db: trx, user })
    })
  }
}

/**
 * When it is this person's turn: the token has identified them, and waiting must not hold a database session.
 * Anonymous requests are refused soon enough.
 */
async function withinLimits<T>(
  { claims, request, reply, effects, slot }: RawRequest,
  { level, kind: fixedKind }: { level: Reach | 'public'; kind?: RequestKind | null },
  respond: () => Promise<T>,
): Promise<T> {
  const kind = kindOf(request, fixedKind)
  slot.refuseWhenFull()
  if (level === 'public' || claims === null || kind === null) {
    slot.take()
    return await respond()
  }
  const disconnected = new AbortController()
  reply.raw.once('close', () => disconnected.abort())
  const limited = {
    kind,
    person: claims.user_id,
    writes: writesOf(request, kind),
    disconnected: disconnected.signal,
  }
  return await effects.requestLimits.within(limited, () => {
    slot.take()
    return respond()
  })
}

function kindOf({ method, query }: FastifyRequest, fixedKind?: RequestKind | null): RequestKind | null {
  if (asksForCsv(query)) return 'export'
  if (fixedKind !== undefined) return fixedKind
  if (method !== 'GET') return 'write'
  return isSearch(query) ? 'search' : 'read'
}

/**
 * A list of 25 things to change costs about as much as one form; a file can create hundreds of reports. An
 * export is a line of the trail.
 */
function writesOf({ body }: FastifyRequest, kind: RequestKind): number {
  if (kind === 'import') return 10
  if (['export', 'upload', 'file', 'follow'].includes(kind)) return 1
  if (kind !== 'write') return 0
  const lists = typeof body === 'object' && body !== null ? Object.values(body).filter(Array.isArray) : []
  return 1 + Math.floor(Math.max(0, ...lists.map(list => list.length)) / 25)
}

/** The calling person, if they may call this at all. */
async function admit(
  db: Db,
  raw: RawRequest,
  { level, before_second_factor = false }: { level: Reach; before_second_factor?: boolean },
): Promise<SignedInUser> {
  const { claims, request, effects, now } = raw
  const user = claims && (await findSignedIn(db, claims, sessionsSince(now, effects.settings.session_days)))
  if (claims && !user) await clearCookiesOf(claims, raw)
  if (!user) throw refuse('unauthenticated')
  request.user_id = user.id
  if (!before_second_factor && mustSetUpSecondFactor(user, effects.settings))
    throw refuse('second_factor_setup_required')
  if (!mayReach(user, level)) throw refuse('forbidden')
  return user
}

/** Only once the client is authenticated: an anonymous one does not learn what is wrong with a body. */
const reader =
  <Params extends Shape, Query extends Shape, Body extends z.ZodType>(
    params: Params,
    query: Query,
    body: Body,
  ) =>
  ({ now, effects, request, reply, slot }: RawRequest): Input<Params, Query, Body> => {
    refuseUnknown(query, request.query)
    refuseNul(request.query)
    return {
      now,
      effects,
      request,
      reply,
      slot,
      params: parsePath(params, request.params),
      query: parseFields(query, request.query),
      body: parseFields(body, request.body ?? {}),
    }
  }

/**
 * Where no schema is given nothing may be sent. The cast: a schema left out has the type parameter's default,
 * which is `Nothing`.
 */
const orNothing = <Schema extends z.ZodType>(schema: Schema | undefined): Schema =>
  schema ?? (nothing as z.ZodType as Schema)

/**
 * A list that can be exported as CSV takes `format` beside its filters. The cast: more is read than the type
 * says.
 */
const withFormat = <Schema extends z.ZodType>(query: Schema): Schema =>
  query instanceof z.ZodObject
    ? (query.extend({ format: z.enum(['json', 'csv']).optional() }) as z.ZodType as Schema)
    : query

const asksForCsv = (query: unknown) =>
  typeof query === 'object' && query !== null && 'format' in query && query.format === 'csv'

const isSearch = (query: unknown) =>
  typeof query === 'object' && query !== null && 'search' in query && query.search !== ''

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once the caller is known; for the log. */
    user_id?: number
  }
}
