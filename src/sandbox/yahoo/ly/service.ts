import type { IncomingMessage } from 'node:http'
import { z } from 'zod'
import { localTime } from '#sandbox/dataset/calendar.ts'
import type { Dataset } from '#sandbox/dataset/dataset.ts'
import type { YahooFault } from '#sandbox/yahoo/faults.ts'
import type { Reply } from '#sandbox/yahoo/wire.ts'
import {
  AccountLinkSelector,
  AccountSelector,
  accountThrough,
  BaseAccountSelector,
  baseAccounts,
  isBase,
  linkedAccounts,
  page,
  reachableAccounts,
} from './accounts.ts'
import { Operand, readOperand, reportFields } from './definition.ts'
import { LyRefusal, type LyProblem, problem, refusal } from './errors.ts'
import type { Product } from './field.ts'
import { fileOfJob, type Job, type Jobs, pollJob, describeJob, statusOf } from './jobs.ts'
import type { Login, Logins } from './logins.ts'

/** What a call of the LY Ads API is answered from. */
export interface LyState {
  dataset: Dataset
  jobs: Jobs
  logins: Logins
}

export interface LyCall {
  request: IncomingMessage
  body: Buffer | null
  product: Product
  /** Service and operation. */
  path: string
  now: number
  faults: YahooFault[]
}

/** Handles a call of Search Ads or Display Ads; refusals come in the platform's three shapes. */
export function handleLy(call: LyCall, state: LyState): Reply {
  const rid = `${call.now.toString(16)}${call.product.length.toString(16)}`
  try {
    const broken = serverError(call.faults, rid)
    if (broken) return broken
    const response = carryOut(call, state)
    return response instanceof Buffer
      ? { status: 200, type: 'application/octet-stream', body: response }
      : json(200, { errors: null, rid, rval: response })
  } catch (error) {
    if (!(error instanceof LyRefusal)) throw error
    return json(error.status, { rid, errors: error.problems, ...(error.status === 200 && { rval: null }) })
  }
}

const json = (status: number, value: unknown): Reply => ({
  status,
  type: 'application/json; charset=UTF-8',
  body: JSON.stringify(value),
})

const OPERATIONS = new Set([
  'BaseAccountService/get',
  'AccountService/get',
  'AccountLinkService/get',
  'ReportDefinitionService/getReportFields',
  'ReportDefinitionService/add',
  'ReportDefinitionService/get',
  'ReportDefinitionService/download',
  'ReportDefinitionService/remove',
])

function carryOut(call: LyCall, state: LyState): Record<string, unknown> | Buffer {
  refuseByFault(call.faults)
  if (call.request.method !== 'POST' || !OPERATIONS.has(call.path)) throw refusal(404, '0004')
  const login = loginOf(call, state)
  const body = bodyOf(call)
  const { product } = call
  if (call.path === 'BaseAccountService/get')
    return baseAccounts(product, login, read(BaseAccountSelector, body))
  const base = baseOf(call, login)
  const through = { product, login, base }
  switch (call.path) {
    case 'AccountService/get':
      return reachableAccounts(through, read(AccountSelector, body))
    case 'AccountLinkService/get':
      return linkedAccounts(product, login, read(AccountLinkSelector, body))
    case 'ReportDefinitionService/getReportFields':
      return getReportFields(product, body)
    case 'ReportDefinitionService/add':
      return add(body, { call, state, through })
    case 'ReportDefinitionService/get':
      return get(body, { call, state, through })
    case 'ReportDefinitionService/download':
      return download(body, { call, state, through })
    default:
      return remove(body, { call, state, through })
  }
}

function loginOf({ request, now }: LyCall, { logins }: LyState): Login {
  const { authorization } = request.headers
  if (authorization === undefined) throw refusal(401, '0110')
  const token = /^Bearer (\S+)$/.exec(authorization)?.[1]
  const login = token === undefined ? null : logins.of(token, now)
  if (!login) throw refusal(401, '0111')
  return login
}

function baseOf({ request, product }: LyCall, login: Login): string {
  const base = request.headers['x-z-base-account-id']
  if (typeof base !== 'string' || base === '')
    throw refusal(200, '0001', ['x-z-base-account-id', 'must not be null'])
  if (!/^\d+$/.test(base)) throw refusal(200, '0001', ['x-z-base-account-id', 'must be a number'])
  if (!isBase(product, login, base)) throw refusal(401, '0112', ['x-z-base-account-id', base])
  return base
}

function bodyOf({ request, body }: LyCall): unknown {
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? ''))
    throw refusal(400, '0005', ['Content-Type', request.headers['content-type'] ?? null])
  if (!/application\/json|application\/\*|\*\/\*/i.test(request.headers.accept ?? '*/*'))
    throw refusal(400, '0005', ['Accept', request.headers.accept ?? null])
  try {
    return JSON.parse(body?.toString('utf8') ?? '')
  } catch {
    throw refusal(400, '0005')
  }
}

/** Parses the body by the schema; an unknown, a missing or a mistyped field refuses the request. */
function read<T>(schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  throw refusal(
    200,
    '0001',
    ...parsed.error.issues.map(({ path, message }): [string, string] => [path.join('/'), message]),
  )
}

interface Handling {
  call: LyCall
  state: LyState
  through: { product: Product; login: Login; base: string }
}

function getReportFields(product: Product, body: unknown) {
  const type =
    product === 'ly_search'
      ? read(z.strictObject({ reportType: z.string() }), body).reportType
      : read(z.strictObject({ type: z.string() }), body).type
  const fields = reportFields(product, type)
  if (!fields) throw refusal(200, 'V0001', [product === 'ly_search' ? 'reportType' : 'type', type])
  return { fields }
}

const MOST_OPERANDS = 30

function add(body: unknown, { call, state, through }: Handling) {
  const { product } = call
  const request = read(z.strictObject({ accountId: z.int(), operand: z.array(z.unknown()) }), body)
  const account = accountThrough(through, request.accountId)
  if (request.operand.length === 0) throw refusal(200, 'L0001', ['operand', '0'])
  if (request.operand.length > MOST_OPERANDS)
    throw refusal(200, 'L0002', ['operand', String(request.operand.length)])
  const operands = request.operand.map(operand => read<Operand>(Operand[product], operand))
  const { today } = localTime(call.now, account.time_zone)
  const values = operands.map(operand => {
    const report = readOperand(operand, { product, account, today })
    if (Array.isArray(report)) return failed(report)
    const job = state.jobs.start(report, { account, now: call.now, faults: call.faults })
    return 'message' in job ? failed([job]) : succeeded(job)
  })
  return { values }
}

const succeeded = (job: Job) => ({
  errors: null,
  operationSucceeded: true,
  reportDefinition: describeJob(job),
})
const failed = (errors: LyProblem[]) => ({ errors, operationSucceeded: false, reportDefinition: null })

const Selector = z.strictObject({
  accountId: z.int(),
  reportJobIds: z.array(z.int()).min(1).max(500).optional(),
  reportJobStatuses: z.array(z.enum(['WAIT', 'IN_PROGRESS', 'COMPLETED', 'FAILED', 'CANCELED'])).optional(),
  reportTypes: z.array(z.string()).optional(),
  numberResults: z.int().min(1).max(500).default(500),
  startIndex: z.int().min(1).default(1),
})

function get(body: unknown, { call, state, through }: Handling) {
  const selector = read(Selector, body)
  const { id: account_id } = accountThrough(through, selector.accountId)
  const found = state.jobs
    .list(call.product, account_id, call.now)
    .filter(
      job =>
        (selector.reportJobIds?.includes(job.id) ?? true) &&
        (selector.reportJobStatuses?.includes(statusOf(job)) ?? true) &&
        (selector.reportTypes?.includes(job.report.definition.report_type) ?? true),
    )
  return page(found, selector, job => ({ reportDefinition: describeJob(pollJob(job, call.now)) }))
}

function download(body: unknown, { call, state, through }: Handling): Buffer {
  const { accountId, reportJobId } = read(z.strictObject({ accountId: z.int(), reportJobId: z.int() }), body)
  const { id: account_id } = accountThrough(through, accountId)
  const job = state.jobs.find(reportJobId, { product: call.product, account_id, now: call.now })
  if (!job) throw refusal(200, 'I0001', ['reportJobId', reportJobId])
  if (statusOf(job) !== 'COMPLETED') throw refusal(200, 'S0001', ['reportJobStatus', statusOf(job)])
  if (has(call.faults, 'download_error')) throw refusal(200, '0002')
  return fileOfJob(job, state.dataset, has(call.faults, 'bom'))
}

function remove(body: unknown, { call, state, through }: Handling) {
  const { accountId, operand } = read(
    z.strictObject({
      accountId: z.int(),
      operand: z
        .array(z.strictObject({ accountId: z.int().optional(), reportJobId: z.int() }))
        .min(1)
        .max(MOST_OPERANDS),
    }),
    body,
  )
  const { id: account_id } = accountThrough(through, accountId)
  const values = operand.map(({ reportJobId }) => {
    const job = state.jobs.find(reportJobId, { product: call.product, account_id, now: call.now })
    if (!job) return failed([problem('I0001', ['reportJobId', reportJobId])])
    state.jobs.remove(job)
    return succeeded(job)
  })
  return { values }
}

const has = (faults: YahooFault[], action: YahooFault['action']) =>
  faults.some(fault => fault.action === action)

function refuseByFault(faults: YahooFault[]): void {
  for (const { action, status, code, message } of faults) {
    if (action === 'rate_limit') throw refusal(403, '0003')
    if (action === 'expired_token') throw refusal(401, '0111')
    if (action === 'revoked') throw refusal(403, '0098')
    if (action === 'error')
      throw new LyRefusal(status ?? 200, {
        code: code ?? '0001',
        message: message ?? 'Invalid Request.',
        details: [],
      })
  }
}

/** 500 and 503 come from the API itself, the others from its front end: those are pages, not JSON. */
function serverError(faults: YahooFault[], rid: string): Reply | null {
  const hit = faults.find(fault => fault.action === 'server_error')
  if (!hit) return null
  const status = hit.status ?? 500
  if (status === 500 || status === 503)
    return json(status, { rid, errors: [problem(status === 500 ? '0002' : '0099')] })
  return { status, type: 'text/html', body: '<html><body><h1>Bad Gateway</h1></body></html>' }
}
