import type { z } from 'zod'
import { PlatformFailure } from '#server/connectors/connector.ts'
import {
  callPlatform,
  halfResponse,
  refused,
  type Outcome,
  type PlatformCall,
} from '#server/connectors/kit/client.ts'
import { quota, unreadable } from '#server/connectors/kit/failures.ts'
import { json, parseWith, type HttpLimits, type HttpResponse } from '#server/connectors/kit/http.ts'
import { classify, classifyStatus } from './failures.ts'
import { quotaKeyOf, quotaStateOf } from './quotas.ts'
import { ListPage, Refusals, type LineIo } from './schema.ts'
import { JSON_TYPE, signed } from './signature.ts'

export interface ApiCall {
  method?: 'GET' | 'POST' | 'DELETE'
  /** Below the version, its ids put in by `pathOf`. */
  path: string
  params?: readonly (readonly [name: string, value: string])[]
  body?: unknown
  /** Sent instead of a body. */
  form?: { fields: Readonly<Record<string, string>>; file: { name: string; bytes: Buffer } }
}

/** A path whose ids are data, whatever they hold. */
export const pathOf = (parts: TemplateStringsArray, ...ids: string[]): string =>
  String.raw({ raw: parts }, ...ids.map(encodeURIComponent))

const BASE = '/api/v3/'
const ATTEMPTS = 5
const PAGE_SIZE = 100
const MOST_PAGES = 1000
const QUOTA_WAIT_MS = 60_000
/** A file of a hundred columns has about 600 bytes a row, and as a text it needs two bytes for each. */
const FILE_LIMITS: HttpLimits = { max_bytes: 32 * 1024 * 1024, timeout_ms: 180_000 }

/** Files of people are as large as 60 MB. */
const FORM_LIMITS: HttpLimits = { timeout_ms: 300_000 }

/** Sends one call and reads the response by a schema. */
export async function callApi<Schema extends z.ZodType>(
  call: ApiCall,
  schema: Schema,
  io: LineIo,
): Promise<z.output<Schema>> {
  const outcomeOf = (response: HttpResponse): Outcome<unknown> => {
    const body = json(response)
    return body === undefined ? halfResponse(call.path) : { value: body }
  }
  return parseWith(schema, await callPlatform(platformCall(call, io, outcomeOf), io), call.path)
}

/** The items of a list, page by page. */
export async function* pagesOf<Schema extends z.ZodType>(
  { path, params = [] }: ApiCall,
  schema: Schema,
  io: LineIo,
): AsyncGenerator<z.output<Schema>[]> {
  let items = 0
  for (let page = 1; ; page += 1) {
    const pageParams = [
      ['page', String(page)],
      ['size', String(PAGE_SIZE)],
    ] as const
    const { paging, datas } = await callApi({ path, params: [...params, ...pageParams] }, ListPage, io)
    yield datas.map((item, index) => parseWith(schema, item, `${path}: datas[${index}]`))
    items += datas.length
    // Pages may be shorter than requested; one without items ends any list.
    if (datas.length === 0 || paging.page * paging.size >= paging.totalElements) {
      if (items === paging.totalElements) return
      throw unreadable(`${path}: ${items} of ${paging.totalElements} items`)
    }
    if (paging.page !== page) throw unreadable(`${path}: page ${paging.page} instead of ${page}`)
    if (items > paging.totalElements) throw unreadable(`${path}: more than ${paging.totalElements} items`)
    if (page === MOST_PAGES) throw unreadable(`${path}: pages without end`)
  }
}

/** A file, as its bytes and the character set that it claims. */
export async function download(path: string, io: LineIo): Promise<{ bytes: Buffer; charset: string | null }> {
  const outcomeOf = ({ bytes, headers }: HttpResponse) => {
    const charset = /charset=["']?([\w-]+)/i.exec(headers.get('content-type') ?? '')?.[1] ?? null
    return { value: { bytes, charset } }
  }
  return callPlatform({ ...platformCall({ path }, io, outcomeOf), limits: FILE_LIMITS }, io)
}

/** Deletes what LINE still stores. It also deletes by itself later, so that a refusal is ignored. */
export async function remove(path: string, io: LineIo): Promise<void> {
  const call = platformCall({ method: 'DELETE', path }, io, () => ({ value: null }))
  try {
    await callPlatform({ ...call, attempts: 1 }, io)
  } catch (error) {
    if (!(error instanceof PlatformFailure)) throw error
  }
}

/** Sends one call whose response says nothing. */
export const send = (call: ApiCall, io: LineIo): Promise<null> =>
  callPlatform(
    platformCall(call, io, () => ({ value: null })),
    io,
  )

/**
 * A signature is good within 15 minutes of LINE's clock: one that is refused is replaced once, by the time
 * that LINE's response states.
 */
function platformCall<Value>(
  call: ApiCall,
  io: LineIo,
  read: (response: HttpResponse) => Outcome<Value>,
): PlatformCall<Value> {
  const { path, params = [], body } = call
  const text = body === undefined ? undefined : JSON.stringify(body)
  const query = params.length === 0 ? '' : `?${new URLSearchParams(params.map(each => [...each]))}`
  let lineNow: Date | null = null
  return {
    url: `${io.hosts.line_ads}${BASE}${path}${query}`,
    init: () => initOf(call, text, { login: io.login, now: lineNow ?? io.now() }),
    quotaKeys: [quotaKeyOf(call, io)],
    quotaStates: response => [quotaStateOf(response)],
    outcomeOf: response => {
      if (response.status >= 200 && response.status < 300) return read(response)
      const outcome = refusalOf(response, path)
      if (outcome.verdict.kind === 'renew') lineNow = timeOf(response)
      return outcome
    },
    // A form makes or replaces something: after a lost response it is seen first whether it has.
    ...(call.form ? { attempts: 1, limits: FORM_LIMITS } : { attempts: ATTEMPTS }),
  }
}

function initOf(
  { method = 'GET', path, form }: ApiCall,
  text: string | undefined,
  { login, now }: Pick<LineIo, 'login'> & { now: Date },
): RequestInit {
  if (form) {
    const headers = signed(login, { path: `${BASE}${path}`, now, is_form: true })
    return { method, headers, body: formOf(form) }
  }
  const body = text !== undefined && { body: text }
  return {
    method,
    headers: {
      ...signed(login, { path: `${BASE}${path}`, now, ...body }),
      ...(text !== undefined && { 'content-type': JSON_TYPE }),
    },
    ...body,
  }
}

function formOf({ fields, file }: NonNullable<ApiCall['form']>): FormData {
  const form = new FormData()
  for (const [name, text] of Object.entries(fields)) form.set(name, text)
  form.set('file', new Blob([new Uint8Array(file.bytes)]), file.name)
  return form
}

function timeOf({ headers }: HttpResponse): Date | null {
  const stated = Date.parse(headers.get('date') ?? '')
  return Number.isNaN(stated) ? null : new Date(stated)
}

function refusalOf(response: HttpResponse, path: string) {
  const { status } = response
  // LINE says neither why nor how long: the body is empty and there is no Retry-After.
  if (quotaStateOf(response).pause_ms > 0)
    return refused(
      { ...quota('none', QUOTA_WAIT_MS), retries: 'soon' },
      { reason: String(status), platform_message: `HTTP ${status}` },
    )
  const refusals = Refusals.safeParse(json(response))
  return refusals.success ? classify(status, refusals.data) : classifyStatus(status, path)
}
