import { type HttpResponse, json } from '#sandbox/http/response.ts'
import type { LineAccount } from '#sandbox/dataset/line.ts'
import type { Dataset } from '#sandbox/dataset/dataset.ts'
import { accountFor, type Caller } from './access.ts'
import { childGroups, customConversions, groupAccounts, linkRequests } from './accounts.ts'
import { audienceList } from './audiences.ts'
import type { Multipart } from '#sandbox/http/multipart.ts'
import type { Uploads } from './uploads.ts'
import { deleteAudience, renameAudience, uploadAudience, uploadJobs } from './uploads.ts'
import { entityList, type Kind } from './entities.ts'
import { forbidden, LineError, refused } from './errors.ts'
import type { LineFault } from './faults.ts'
import type { Parameters } from './parameters.ts'
import { onlineReport } from './report/online.ts'
import type { Reports } from './report/reports.ts'

export interface Call {
  parameters: Parameters
  /** The text of the body; empty without one. */
  body: string
  /** The form of a multipart body; null where there is none. */
  form: Multipart | null
  caller: Caller
  dataset: Dataset
  now: number
  faults: readonly LineFault[]
  reports: Reports
  uploads: Uploads
  /** How long an upload to an audience takes. */
  fill_ms: number
  one_month: boolean
}

interface Route {
  method: 'GET' | 'POST' | 'DELETE'
  /** Below /api/v3; `*` for an id. */
  path: string
  run(call: Call, ids: readonly string[]): HttpResponse
}

/** Something of an account that the caller may see. */
const ofAccount =
  (run: (call: Call & { account: LineAccount }, id: string) => HttpResponse): Route['run'] =>
  (call, [account = '', id = '']) =>
    run({ ...call, account: accountFor(call.caller, account) }, id)

const get = (path: string, data: (call: Call, ids: readonly string[]) => unknown): Route => ({
  method: 'GET',
  path,
  run: (call, ids) => json(200, data(call, ids)),
})

const entities = (path: string, kind: Kind): Route => ({
  method: 'GET',
  path: `adaccounts/*/${path}`,
  run: ofAccount(({ parameters, ...call }) => json(200, entityList(parameters, { ...call, kind }))),
})

const online = (kind: Kind): Route => ({
  method: 'GET',
  path: `adaccounts/*/reports/online/${kind}`,
  run: ofAccount(({ parameters, ...call }) => json(200, onlineReport(parameters, { ...call, kind }))),
})

/** The sandbox does not support changes at LINE: roles that may make them elsewhere may not here. */
const notAllowed = (path: string): Route => ({
  method: 'POST',
  path,
  run() {
    throw forbidden('PARTNER_PERMISSION_DENIED')
  },
})

const CODES: Record<string, readonly { code: string; name: string }[]> = {
  os: [
    { code: 'IOS', name: 'iOS' },
    { code: 'ANDROID', name: 'Android' },
  ],
}

const ROUTES: readonly Route[] = [
  get('codes/*', ({ parameters }, [name = '']) => {
    parameters.refuseUnknown()
    const datas = Object.hasOwn(CODES, name) ? CODES[name] : undefined
    if (!datas) throw refused('INVALID_ENUM', 'code')
    return { datas }
  }),
  get('groups/*/children', ({ parameters, caller }, [id = '']) => childGroups(parameters, caller, id)),
  get('groups/*/adaccounts', ({ parameters, caller }, [id = '']) => groupAccounts(parameters, caller, id)),
  get('groups/*/link-request', ({ parameters, caller }, [id = '']) => linkRequests(parameters, caller, id)),
  notAllowed('groups/*/link-request'),
  entities('campaigns', 'campaign'),
  entities('adgroups', 'adgroup'),
  entities('ads', 'ad'),
  notAllowed('adaccounts/*/campaigns'),
  notAllowed('adaccounts/*/adgroups'),
  notAllowed('adaccounts/*/ads'),
  {
    method: 'GET',
    path: 'adaccounts/*/custom-audiences',
    run: ofAccount(call => json(200, audienceList(call))),
  },
  {
    method: 'POST',
    path: 'adaccounts/*/custom-audiences/upload',
    run: ofAccount(call => json(202, uploadAudience(call))),
  },
  {
    method: 'GET',
    path: 'adaccounts/*/custom-audiences/*/upload-job',
    run: ofAccount((call, id) => json(200, uploadJobs(call, id))),
  },
  {
    method: 'POST',
    path: 'adaccounts/*/custom-audiences/*',
    run: ofAccount((call, id) => json(200, renameAudience({ ...call, body: valueOf(call.body) }, id))),
  },
  {
    method: 'DELETE',
    path: 'adaccounts/*/custom-audiences/*',
    run: ofAccount((call, id) => {
      deleteAudience(call, id)
      return { status: 202, type: 'application/json', body: '' }
    }),
  },
  {
    method: 'GET',
    path: 'adaccounts/*/custom-conversions',
    run: ofAccount(({ parameters, account }) => json(200, customConversions(parameters, account))),
  },
  online('campaign'),
  online('adgroup'),
  online('ad'),
  {
    method: 'POST',
    path: 'adaccounts/*/pfreports',
    run: ofAccount(({ parameters, body, reports, ...call }) => {
      parameters.refuseUnknown()
      return json(200, reports.create(valueOf(body), call))
    }),
  },
  {
    method: 'GET',
    path: 'adaccounts/*/pfreports',
    run: ofAccount(({ parameters, account, reports }) => json(200, reports.list(parameters, account))),
  },
  {
    method: 'GET',
    path: 'adaccounts/*/pfreports/*/download',
    run: ofAccount(({ parameters, reports, ...call }, id) => {
      parameters.refuseUnknown()
      return reports.download(id, call)
    }),
  },
  {
    method: 'GET',
    path: 'adaccounts/*/pfreports/*/download/sample',
    run: ofAccount(({ parameters, reports, ...call }, id) => {
      parameters.refuseUnknown()
      if (!/^[1-5]$/.test(id)) throw refused('OUT_OF_RANGE', 'id')
      return reports.sample(id, call)
    }),
  },
  {
    method: 'DELETE',
    path: 'adaccounts/*/pfreports/*',
    run: ofAccount(({ parameters, account, reports }, id) => {
      parameters.refuseUnknown()
      reports.remove(id, account)
      return json(200, {})
    }),
  },
]

/** Handles a request whose signer is known; `path` is the part below /api/v3/. */
export function route(method: string, path: string, call: Call): HttpResponse {
  const parts = path.split('/')
  const fitting = ROUTES.filter(each => fits(each.path.split('/'), parts)).toSorted(
    // Where `*` would take a word of another path, that path is meant.
    (one, other) => one.path.split('*').length - other.path.split('*').length,
  )
  if (fitting.length === 0) throw new LineError(404, 'NOT_FOUND')
  const found = fitting.find(each => each.method === method)
  if (!found) throw new LineError(405, 'METHOD_NOT_ALLOWED')
  const pattern = found.path.split('/')
  const ids = parts.filter((_, index) => pattern[index] === '*')
  return found.run(call, ids)
}

const fits = (pattern: readonly string[], parts: readonly string[]) =>
  pattern.length === parts.length &&
  pattern.every((part, index) => part === parts[index] || (part === '*' && parts[index] !== ''))

function valueOf(body: string): unknown {
  if (body === '') throw refused('REQUIRED_REQUEST_BODY')
  try {
    return JSON.parse(body)
  } catch {
    throw refused('INVALID_FORMAT')
  }
}
