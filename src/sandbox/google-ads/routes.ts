import type { IncomingMessage } from 'node:http'
import { type HttpResponse, json } from '#sandbox/http/response.ts'
import { GRANTS } from '#sandbox/dataset/google-ads.ts'
import { customerFor, type Login } from './access.ts'
import { readMessage, type Shape } from './body.ts'
import { AdsError, refusal, unknownName } from './errors.ts'
import { type GoogleAdsFault, unsupportedVersion } from './faults.ts'
import { oneField, searchFields } from './fields/about.ts'
import { expiredPageToken, type Search, type Settings } from './search.ts'

export interface AdsRequest {
  request: IncomingMessage
  url: URL
  version: string
  /** The path behind the version. */
  path: string
  login: Login
  hits: readonly GoogleAdsFault[]
  request_id: string
}

const VERSIONS = new Set(['v23', 'v24', 'v25', 'v26'])

export function checkVersion(version: string): void {
  if (!VERSIONS.has(version)) throw unsupportedVersion(version)
}

/** Handles a request whose login is known, by its method and path; null when there is no such endpoint. */
export async function route(ads: AdsRequest, search: Search): Promise<HttpResponse | null> {
  const { request, path } = ads
  const task = `${request.method} ${path}`
  checkParameters(ads.url)
  if (task === 'GET /customers:listAccessibleCustomers') {
    return json(200, { resourceNames: GRANTS[ads.login].map(id => `customers/${id}`) })
  }
  if (task === 'POST /googleAdsFields:search') {
    const message = await readMessage(request, { query: 'text', pageToken: 'text', pageSize: 'number' })
    const fields = searchFields(message['query'])
    return json(200, {
      ...(fields.length > 0 && { results: fields }),
      totalResultsCount: String(fields.length),
    })
  }
  const field = /^GET \/googleAdsFields\/([\w.]+)$/.exec(task)?.[1]
  if (field !== undefined) return json(200, oneField(field))
  const [, customer = '', method] =
    /^POST \/customers\/([^/]+)\/googleAds:(search|searchStream)$/.exec(task) ?? []
  if (method === 'search') return searched(ads, search, customer)
  if (method === 'searchStream') return streamed(ads, search, customer)
  return null
}

const SEARCH: Shape = {
  query: 'text',
  pageToken: 'text',
  pageSize: 'number',
  validateOnly: 'flag',
  searchSettings: { returnTotalResultsCount: 'flag', returnSummaryRow: 'flag', omitResults: 'flag' },
}

async function searched(ads: AdsRequest, search: Search, id: string): Promise<HttpResponse> {
  const message = await readMessage(ads.request, SEARCH)
  const customer = customerFor(id, { login: ads.login, through: throughOf(ads) })
  if (message['pageSize'] !== undefined && message['pageSize'] !== 0) {
    throw new AdsError(
      'requestError',
      'PAGE_SIZE_NOT_SUPPORTED',
      'Setting the page size is not supported, and will be rejected. Use 10000 rows per page.',
      { field: 'page_size' },
    )
  }
  const token = message['pageToken']
  if (token && ads.hits.some(({ action }) => action === 'expired_page_token')) throw expiredPageToken()
  const page = search.page({
    customer,
    version: ads.version,
    query: message['query'],
    token,
    settings: (message['searchSettings'] ?? {}) as Settings,
    validate_only: message['validateOnly'] === true,
  })
  return json(200, page)
}

async function streamed(ads: AdsRequest, search: Search, id: string): Promise<HttpResponse> {
  const message = await readMessage(ads.request, { query: 'text', summaryRowSetting: 'text' })
  const customer = customerFor(id, { login: ads.login, through: throughOf(ads) })
  const summary = message['summaryRowSetting'] ?? 'NO_SUMMARY_ROW'
  if (!['NO_SUMMARY_ROW', 'SUMMARY_ROW_WITH_RESULTS', 'SUMMARY_ROW_ONLY'].includes(String(summary))) {
    throw unknownName(
      `Invalid value at 'summary_row_setting' (TYPE_ENUM), "${String(summary)}"`,
      'summary_row_setting',
    )
  }
  const batches = search.stream({
    customer,
    version: ads.version,
    query: message['query'],
    with_summary: summary !== 'NO_SUMMARY_ROW',
    request_id: ads.request_id,
  })
  const chosen = summary === 'SUMMARY_ROW_ONLY' ? batches.slice(-1) : batches
  if (!ads.hits.some(({ action }) => action === 'stream_error')) return json(200, chosen)
  const error = new AdsError('internalError', 'INTERNAL_ERROR', 'An internal error has occurred.')
  return json(200, [...chosen.slice(0, 1), refusal(error, ads).body])
}

const throughOf = ({ request }: AdsRequest) => {
  const header = request.headers['login-customer-id']
  return header === undefined ? undefined : String(header)
}

const PARAMETERS = new Set(['alt', '$alt', 'prettyPrint', 'key'])

function checkParameters(url: URL): void {
  for (const name of url.searchParams.keys()) {
    if (PARAMETERS.has(name)) continue
    throw unknownName(
      `Unknown name "${name}": Cannot bind query parameter. Field '${name}' could not be found in request message.`,
    )
  }
}
