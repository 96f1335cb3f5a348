import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { z } from 'zod'
import { readPart } from '#sandbox/oauth/jwt-part.ts'
import type { Account } from '#sandbox/dataset/agency.ts'
import { type Ad, adStatus, existsOn, nameOn } from '#sandbox/dataset/campaigns.ts'
import { dayOf } from '#sandbox/dataset/calendar.ts'
import { adsOf, type Dataset } from '#sandbox/dataset/dataset.ts'
import type { YahooFault } from '#sandbox/yahoo/faults.ts'
import { asLogin, type Login } from '#sandbox/yahoo/ly/logins.ts'
import type { Reply } from '#sandbox/yahoo/wire.ts'
import { CURRENCIES, DIMENSIONS, INTERVALS, METRICS } from './fields.ts'
import { csvOf, type DspDefinition } from './rows.ts'

// Yahoo DSP: entities from the traffic API, reports from the external reporting API, logins by a signed
// assertion.

export interface DspState {
  dataset: Dataset
  reports: Map<string, DspReport>
  tokens: Map<string, { login: Login; expires: number }>
}

interface DspReport {
  id: string
  definition: DspDefinition
  polls: number
  patience: number
  fails: boolean
}

export interface DspCall {
  request: IncomingMessage
  url: URL
  body: Buffer | null
  now: number
  faults: YahooFault[]
}

class DspRefusal extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** Handles a call of the token endpoint, the traffic API or the reporting API. */
export function handleDsp(call: DspCall, state: DspState): Reply {
  try {
    refuseByFault(call.faults)
    return carryOut(call, state)
  } catch (error) {
    if (!(error instanceof DspRefusal)) throw error
    const errors = [{ code: error.code, message: error.message }]
    return json(error.status, { response: null, errors, timeStamp: stamp(call.now) })
  }
}

const json = (status: number, value: unknown): Reply => ({
  status,
  type: 'application/json',
  body: JSON.stringify(value),
})
const stamp = (now: number) => new Date(now).toISOString()

function refuseByFault(faults: YahooFault[]): void {
  for (const { action, status, code, message } of faults) {
    if (action === 'rate_limit') throw new DspRefusal(429, 'E42900', 'Too many requests')
    if (action === 'server_error') throw new DspRefusal(status ?? 500, 'E50000', 'Internal server error')
    if (action === 'expired_token') throw new DspRefusal(401, 'E40100', 'Invalid or expired token')
    if (action === 'revoked') throw new DspRefusal(403, 'E40300', 'Access denied')
    if (action === 'error') throw new DspRefusal(status ?? 400, code ?? 'E40000', message ?? 'Invalid input')
  }
}

function carryOut(call: DspCall, state: DspState): Reply {
  const { pathname } = call.url
  const method = call.request.method ?? 'GET'
  if (pathname === '/identity/oauth2/access_token' && method === 'POST') return token(call, state)
  checkToken(call, state)
  const traffic = /^\/traffic\/([a-z]+)$/.exec(pathname)?.[1]
  if (traffic !== undefined && method === 'GET')
    return json(200, {
      response: entities(traffic, { call, state }),
      errors: null,
      timeStamp: stamp(call.now),
    })
  const id = /^\/yamplus_api\/extreport\/([A-Za-z0-9.-]*)$/.exec(pathname)?.[1]
  if (id === '' && method === 'POST') return json(200, submit(call, state))
  if (id === 'cob' && method === 'GET') return json(200, booksClosed(call, state))
  if (id !== undefined && method === 'GET')
    return id.endsWith('.csv') ? file(id.slice(0, -4), state) : json(200, poll(id, call, state))
  throw new DspRefusal(404, 'E40400', 'Not found')
}

const LIFETIME_S = 3600
const ASSERTION = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

function token({ body, now }: DspCall, state: DspState): Reply {
  const form = new URLSearchParams(body?.toString('utf8'))
  const refused = (error: string, error_description: string) => json(400, { error, error_description })
  if (form.get('grant_type') !== 'client_credentials')
    return refused('unsupported_grant_type', 'Unsupported grant')
  if (form.get('client_assertion_type') !== ASSERTION)
    return refused('invalid_client', 'Unsupported client_assertion_type')
  if (!form.get('scope')) return refused('invalid_scope', 'scope is required')
  if (!form.get('realm')) return refused('invalid_request', 'realm is required')
  const login = signerOf(form.get('client_assertion') ?? '', now)
  if (!login) return json(401, { error: 'invalid_client', error_description: 'Client authentication failed' })
  const access_token = `dsp.${login}.${state.tokens.size + 1}.${now}`
  state.tokens.set(access_token, { login, expires: now + LIFETIME_S * 1000 })
  return json(200, { access_token, scope: form.get('scope'), token_type: 'Bearer', expires_in: LIFETIME_S })
}

const Claims = z.looseObject({
  iss: z.string().min(1),
  sub: z.string().min(1),
  aud: z.string().min(1),
  exp: z.number(),
})

/** The login whose secret signed the assertion; null when none did, or its claims are wrong. */
function signerOf(assertion: string, now: number): Login | null {
  const [header = '', claims = '', signature = '', ...rest] = assertion.split('.')
  if (rest.length > 0 || readPart(header)?.['alg'] !== 'HS256') return null
  const read = Claims.safeParse(readPart(claims))
  if (!read.success || read.data.iss !== read.data.sub || read.data.exp * 1000 <= now) return null
  const received = Buffer.from(signature, 'base64url')
  for (const secret of ['sandbox-admin', 'sandbox-agency'] as const) {
    const right = createHmac('sha256', secret).update(`${header}.${claims}`).digest()
    if (right.length === received.length && timingSafeEqual(right, received)) return secret
  }
  return null
}

/** Both logins see the same advertisers. */
function checkToken({ request, now }: DspCall, { tokens }: DspState): void {
  const method = request.headers['x-auth-method']
  if (typeof method !== 'string' || !/^oauth2?$/i.test(method))
    throw new DspRefusal(401, 'E40100', 'X-Auth-Method must be OAuth2')
  const received = request.headers['x-auth-token']
  const issued = typeof received === 'string' ? tokens.get(received) : undefined
  const isGood = issued ? issued.expires > now : typeof received === 'string' && asLogin(received) !== null
  if (!isGood) throw new DspRefusal(401, 'E40100', 'Invalid or expired token')
}

const accountsOf = ({ dataset }: DspState): Account[] =>
  dataset.accounts('yg').filter(({ provider }) => provider === 'yahoo_dsp')

function accountFor(id: string, state: DspState): Account {
  const account = accountsOf(state).find(each => each.id === id)
  if (!account) throw new DspRefusal(403, 'E40300', `No access to advertiser ${id}`)
  return account
}

interface ReportBody {
  call: DspCall
  state: DspState
}

function entities(kind: string, { call, state }: ReportBody): unknown[] {
  const { searchParams } = call.url
  const allowed = kind === 'advertisers' || kind === 'currencies' ? [] : ['advertiserId']
  const unknown = [...searchParams.keys()].find(name => !allowed.includes(name))
  if (unknown !== undefined) throw new DspRefusal(400, 'E40000', `Unknown parameter ${unknown}`)
  if (kind === 'currencies') return Object.entries(CURRENCIES).map(([code, id]) => ({ id, code }))
  if (kind === 'advertisers')
    return accountsOf(state).map(({ id, name, currency, time_zone }) => ({
      id: Number(id),
      name,
      status: 'ACTIVE',
      currency,
      timezone: time_zone,
    }))
  const account = accountFor(searchParams.get('advertiserId') ?? '', state)
  const { today } = state.dataset.moment(account)
  const ads = adsOf(state.dataset.campaigns(account)).filter(ad => existsOn(ad, today))
  const show = (node: { id: string; name: string }, ad: Ad, more: Record<string, unknown>) => ({
    id: Number(node.id.slice(-15)),
    name: node.name,
    advertiserId: Number(account.id),
    status: adStatus(ad, today),
    ...more,
  })
  const once = (list: { id: number }[]) => [...new Map(list.map(each => [each.id, each])).values()]
  const named = <N extends { id: string; name: string }>(node: N, name: string) => ({ id: node.id, name })
  switch (kind) {
    case 'campaigns':
      return once(ads.map(ad => show(named(ad.ad_set.campaign, nameOn(ad.ad_set.campaign, today)), ad, {})))
    case 'lines':
      return once(
        ads.map(ad =>
          show(named(ad.ad_set, nameOn(ad.ad_set, today)), ad, {
            campaignId: Number(ad.ad_set.campaign.id.slice(-15)),
          }),
        ),
      )
    case 'ads':
      return ads.map(ad =>
        show(named(ad, nameOn(ad, today)), ad, { lineId: Number(ad.ad_set.id.slice(-15)) }),
      )
    default:
      throw new DspRefusal(404, 'E40400', 'Not found')
  }
}

const Report = z.strictObject({
  reportOption: z.strictObject({
    timezone: z.string(),
    currency: z.int(),
    accountIds: z.array(z.int()).min(1),
    dimensionTypeIds: z.array(z.int()).min(1),
    metricTypeIds: z.array(z.int()).min(1),
    filterOptions: z
      .array(
        z.strictObject({
          dimensionTypeId: z.int(),
          isExcluded: z.boolean().default(false),
          includeValues: z.array(z.strictObject({ id: z.string() })).min(1),
        }),
      )
      .default([]),
  }),
  intervalTypeId: z.int(),
  dateTypeId: z.int(),
  startDate: z.string().optional(),
  endDate: z.string().optional(),
})

function submit(call: DspCall, state: DspState) {
  if (!/^application\/json\b/i.test(call.request.headers['content-type'] ?? ''))
    throw new DspRefusal(415, 'E41500', 'Content-Type must be application/json')
  const definition = readReport(call, state)
  const id = `r${state.reports.size + 1}-${call.now.toString(36)}`
  const slow = call.faults.find(fault => fault.action === 'job_slow')
  const fails = call.faults.some(fault => fault.action === 'job_failed')
  state.reports.set(id, { id, definition, polls: 0, patience: slow?.looks ?? 1, fails })
  return { customerReportId: id, status: 'Submitted' }
}

function readReport({ body }: DspCall, state: DspState): DspDefinition {
  const bad = (message: string) => new DspRefusal(400, 'E40000', message)
  const parsed = Report.safeParse(parse(body))
  if (!parsed.success)
    throw bad(parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '))
  const { reportOption: option, ...report } = parsed.data
  const interval = INTERVALS[report.intervalTypeId]
  if (!interval) throw bad(`intervalTypeId ${report.intervalTypeId} is not supported`)
  const dimensions = option.dimensionTypeIds.map(id => DIMENSIONS[id] ?? id)
  const metrics = option.metricTypeIds.map(id => METRICS[id] ?? id)
  const filters = option.filterOptions.map(filter => ({
    ids: filter.includeValues.map(({ id }) => id),
    excluded: filter.isExcluded,
    dimension: DIMENSIONS[filter.dimensionTypeId] ?? filter.dimensionTypeId,
  }))
  const unknown = [...dimensions, ...metrics, ...filters.map(({ dimension }) => dimension)].find(
    each => typeof each === 'number',
  )
  if (unknown !== undefined) throw bad(`type id ${JSON.stringify(unknown)} is not supported`)
  const currency = Object.entries(CURRENCIES).find(([, id]) => id === option.currency)?.[0]
  const accounts = option.accountIds.map(id => accountFor(String(id), state))
  if (currency === undefined || accounts.some(account => account.currency !== currency))
    throw bad(`currency ${option.currency} is not the advertiser's`)
  if (accounts.some(account => account.time_zone !== option.timezone))
    throw bad(`timezone ${option.timezone} is not the advertiser's`)
  if (report.dateTypeId !== 11) throw bad(`dateTypeId ${report.dateTypeId} is not supported`)
  const [first, last] = [localDay(report.startDate), localDay(report.endDate)]
  if (first === null || last === null || first > last) throw bad('startDate and endDate must be a range')
  return {
    accounts,
    dimensions: dimensions.filter(each => typeof each === 'object'),
    metrics: metrics.filter(each => typeof each === 'object'),
    filters: filters.flatMap(({ dimension, ...filter }) =>
      typeof dimension === 'object' ? [{ ...filter, dimension }] : [],
    ),
    interval,
    first,
    last,
  }
}

/** 2026-10-01T00:00:00+08:00: the day as it is written; the offset must be there. */
const localDay = (text: string | undefined) =>
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}([+-]\d{2}:\d{2}|Z)$/.test(text ?? '')
    ? dayOf((text ?? '').slice(0, 10))
    : null

function parse(body: Buffer | null): unknown {
  try {
    return JSON.parse(body?.toString('utf8') ?? '')
  } catch {
    return null
  }
}

function poll(id: string, { request }: DspCall, state: DspState) {
  const report = state.reports.get(id)
  if (!report) throw new DspRefusal(404, 'E40400', `No report ${id}`)
  report.polls++
  const shared = { customerReportId: id }
  if (report.polls <= report.patience) return { ...shared, status: 'Submitted' }
  if (report.polls <= report.patience * 2) return { ...shared, status: 'Processing' }
  if (report.fails) return { ...shared, status: 'Failed', errorMsg: 'Report generation failed' }
  const { lines } = csvOf(report.definition, state.dataset)
  return {
    ...shared,
    status: 'Success',
    url: `http://${request.headers.host}/yamplus_api/extreport/${id}.csv`,
    numRows: lines,
  }
}

function file(id: string, state: DspState): Reply {
  const report = state.reports.get(id)
  if (!report || report.polls <= report.patience * 2) throw new DspRefusal(404, 'E40400', `No file ${id}`)
  return { status: 200, type: 'text/csv; charset=utf-8', body: csvOf(report.definition, state.dataset).text }
}

/** The books of a day are closed from noon of the day after next. */
function booksClosed({ url }: DspCall, state: DspState) {
  const account = accountFor(url.searchParams.get('advertiserId') ?? '', state)
  const day = dayOf(url.searchParams.get('day') ?? '')
  if (day === null) throw new DspRefusal(400, 'E40000', 'day must be a date')
  const { today, day_passed } = state.dataset.moment(account)
  return {
    advertiserId: Number(account.id),
    closeOfBooks: today - day > 2 || (today - day === 2 && day_passed >= 0.5),
  }
}
