import type { IncomingMessage } from 'node:http'
import type { Clock } from '#sandbox/clock.ts'
import { readBody } from '#sandbox/http/body.ts'
import { localTime } from '#sandbox/dataset/calendar.ts'
import type { Property } from '#sandbox/dataset/ga4.ts'
import { isRestricted, type Login, propertyFor } from './access.ts'
import { accountSummaries, dataStreams, propertyNode } from './admin.ts'
import { listAudiences, oneAudience } from './audiences.ts'
import { malformed, notEmulated } from './errors.ts'
import type { Ga4Fault } from './faults.ts'
import { compatibilityOf, metadata } from './metadata.ts'
import type { Quota } from './quota.ts'
import { type Flags, runReport } from './report/report.ts'
import { readBatch, readCheckCompatibility, readRunReport, type RunReport } from './request.ts'

export interface Ga4Request {
  request: IncomingMessage
  url: URL
  login: Login
  hits: readonly Ga4Fault[]
  clock: Clock
  quota: Quota
  flags: Flags
}

/** Handles a request whose login is known, by its method and path; null when there is no such endpoint. */
export async function route(ga4: Ga4Request): Promise<object | null> {
  const { request, url, login } = ga4
  if (url.pathname.startsWith('/v1alpha/')) return audiences(ga4)
  const [, id = '', rest = ''] = /^\/v1beta\/properties\/([^/:]+)(.*)$/.exec(url.pathname) ?? []
  checkParameters(url, url.pathname === '/v1beta/accountSummaries' || rest === '/dataStreams')
  if (`${request.method} ${url.pathname}` === 'GET /v1beta/accountSummaries')
    return accountSummaries(url, login)
  const property = () => propertyFor(id, login)
  switch (`${request.method} ${rest}`) {
    case 'GET ':
      return id === '' ? null : propertyNode(property())
    case 'GET /dataStreams':
      return dataStreams(property(), url)
    case 'GET /metadata':
      if (id === '0') return metadata(null, false)
      ga4.quota.check(property())
      return metadata(property(), isRestricted(property(), login))
    case 'POST :runReport':
      return reported(ga4, property(), readRunReport(await bodyOf(request)))
    case 'POST :batchRunReports': {
      const requests = readBatch(await bodyOf(request))
      return {
        reports: requests.map(each => reported(ga4, property(), each)),
        kind: 'analyticsData#batchRunReports',
      }
    }
    case 'POST :checkCompatibility':
      ga4.quota.check(property())
      return compatibilityOf(readCheckCompatibility(await bodyOf(request)), property())
    default:
      return null
  }
}

/** The part of the Admin API that is no beta yet. */
function audiences({ request, url, login }: Ga4Request): object | null {
  const [, property = '', id] =
    /^\/v1alpha\/properties\/([^/]+)\/audiences(?:\/([^/:]+))?$/.exec(url.pathname) ?? []
  if (request.method !== 'GET') throw notEmulated('changes of audiences')
  if (property === '') return null
  checkParameters(url, id === undefined)
  return id === undefined
    ? listAudiences(propertyFor(property, login), url)
    : oneAudience(propertyFor(property, login), id)
}

function reported(
  { quota, clock, login, flags, hits }: Ga4Request,
  property: Property,
  request: RunReport,
): object {
  quota.check(property)
  if (request.property !== undefined && request.property !== `properties/${property.property_id}`) {
    throw malformed(`Invalid value at 'property' (TYPE_STRING), "${request.property}"`, 'property')
  }
  const { body, rows, is_thresholded } = runReport(request, {
    property,
    moment: localTime(clock.now(), property.time_zone),
    restricted: isRestricted(property, login),
    flags: { ...flags, is_truncated: hits.some(({ action }) => action === 'truncated') },
  })
  const tokens = 1 + Math.ceil((rows * (request.dimensions.length + request.metrics.length)) / 2000)
  const left = quota.spend(property, { tokens, thresholded: is_thresholded })
  return {
    ...body,
    ...(request.returnPropertyQuota && { propertyQuota: left }),
    kind: 'analyticsData#runReport',
  }
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const bytes = await readBody(request)
  const type = String(request.headers['content-type'] ?? '')
  if (bytes === null || !/^application\/json\b/i.test(type)) throw malformed('Expected an object.')
  try {
    return JSON.parse(bytes.toString('utf8') || '{}')
  } catch {
    throw malformed('Unexpected token.')
  }
}

const PARAMETERS = new Set(['alt', '$alt', 'prettyPrint', 'key'])

function checkParameters(url: URL, pages: boolean): void {
  for (const name of url.searchParams.keys()) {
    if (PARAMETERS.has(name) || (pages && (name === 'pageSize' || name === 'pageToken'))) continue
    throw malformed(
      `Unknown name "${name}": Cannot bind query parameter. Field '${name}' could not be found in request message.`,
    )
  }
}
