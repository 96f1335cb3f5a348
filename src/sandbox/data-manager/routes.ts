import type { IncomingHttpHeaders } from 'node:http'
import { accountFor, accountNamed, type DataManagerCaller, OTHER_ACCOUNT_TYPES } from './access.ts'
import { malformed, notEmulated, refused } from './errors.ts'
import type { DataManagerFault } from './faults.ts'
import { checkMembers, destinationsOf } from './members.ts'
import { NOT_EMULATED_MEMBERS, readIngest, readRemove, readRemoveAll, readUserList } from './messages.ts'
import type { Requests } from './requests.ts'
import { userListMessage, type UserList, type UserLists } from './user-lists.ts'

export interface DataManagerCall {
  method: string
  url: URL
  headers: IncomingHttpHeaders
  body: string
  caller: DataManagerCaller
  hits: readonly DataManagerFault[]
  now: number
  lists: UserLists
  requests: Requests
}

/** What the API has and this sandbox does not, as methods and as members of messages. */
const NOT_EMULATED_PATHS: [string, RegExp][] = [
  ['events:ingest', /^\/v1\/events:ingest$/],
  ['adEvents:ingest', /^\/v1\/adEvents:ingest$/],
  ['accounts.insights', /\/insights:retrieve$/],
  ['accounts.partnerLinks', /\/partnerLinks(\/|:|$)/],
  ['accounts.userListDirectLicenses', /\/userListDirectLicenses(\/|$)/],
  ['accounts.userListGlobalLicenses', /\/userListGlobalLicenses(\/|$)/],
]
export const NOT_EMULATED = [
  ...NOT_EMULATED_PATHS.map(([name]) => name),
  ...NOT_EMULATED_MEMBERS,
  'encoding BASE64',
  ...OTHER_ACCOUNT_TYPES.map(type => `accounts of type ${type}`),
  'linked-account',
]

/** Handles a call by its method and path; null when there is no such method. */
export function route(call: DataManagerCall): object | null {
  const { method, url } = call
  const task = `${method} ${url.pathname}`
  const gap = NOT_EMULATED_PATHS.find(([, path]) => path.test(url.pathname))
  if (gap) throw notEmulated(gap[0])
  if (task === 'POST /v1/audienceMembers:ingest') return ingested(call)
  if (task === 'POST /v1/audienceMembers:remove') return removed(call)
  if (task === 'POST /v1/audienceMembers:removeAll') return emptied(call)
  if (task === 'GET /v1/requestStatus:retrieve') {
    checkParameters(url, 'requestId')
    return call.requests.statusOf(url.searchParams.get('requestId') ?? '', call.now)
  }
  const [, parent, id] =
    /^\/v1\/(accountTypes\/[^/]+\/accounts\/[^/]+)\/userLists(?:\/([^/]+))?$/.exec(url.pathname) ?? []
  if (parent === undefined) return null
  return id === undefined ? ofAccount(call, parent) : ofList(call, parent, id)
}

function ingested({ url, body, caller, lists, requests, ...call }: DataManagerCall): object {
  checkParameters(url)
  const message = readIngest(body)
  const destinations = destinationsOf(message.destinations, caller, lists)
  checkMembers(message)
  return { requestId: requests.ingest(message, destinations, processing(call, message.validateOnly)) }
}

function removed({ url, body, caller, lists, requests, ...call }: DataManagerCall): object {
  checkParameters(url)
  const message = readRemove(body)
  const destinations = destinationsOf(message.destinations, caller, lists)
  checkMembers(message)
  return { requestId: requests.remove(message, destinations, processing(call, message.validateOnly)) }
}

function emptied({ url, body, caller, lists, requests, ...call }: DataManagerCall): object {
  checkParameters(url)
  const message = readRemoveAll(body)
  const destinations = destinationsOf(message.destinations, caller, lists)
  const before = message.removeAsOfTime === undefined ? call.now : Date.parse(message.removeAsOfTime)
  return { requestId: requests.removeAll(destinations, before, processing(call, message.validateOnly)) }
}

const processing = ({ hits, now }: Pick<DataManagerCall, 'hits' | 'now'>, isRehearsal: boolean) => {
  const fault = hits.find(({ action }) => action === 'processing_failed')
  return {
    now,
    isRehearsal,
    failure: fault ? (fault.reason ?? 'PROCESSING_ERROR_REASON_INTERNAL_ERROR') : null,
  }
}

function ofAccount(call: DataManagerCall, parent: string): object | null {
  const { method, url, body, lists, now } = call
  if (method !== 'GET' && method !== 'POST') return null
  checkParameters(url, ...(method === 'GET' ? ['pageSize', 'pageToken', 'filter'] : ['validateOnly']))
  const account = accountOf(call, parent)
  if (method === 'GET') return lists.list(account, url, now)
  return userListMessage(lists.create(account, readUserList(body), isRehearsal(url)), now)
}

function ofList(call: DataManagerCall, parent: string, id: string): object | null {
  const { method, url, body, lists, now } = call
  const parameters = { GET: [], DELETE: ['validateOnly'], PATCH: ['updateMask', 'validateOnly'] }[method]
  if (!parameters) return null
  checkParameters(url, ...parameters)
  const list: UserList | undefined = lists.find(accountOf(call, parent), id)
  if (!list) throw refused('NOT_FOUND', { status: 404 })
  if (method === 'GET') return userListMessage(list, now)
  if (method === 'PATCH') {
    const how = { mask: url.searchParams.get('updateMask') ?? '', isRehearsal: isRehearsal(url) }
    return userListMessage(lists.update(list, readUserList(body), how), now)
  }
  if (!isRehearsal(url)) lists.remove(list)
  return {}
}

/** The account of an address, reached through the one of the header. */
function accountOf({ caller, headers }: DataManagerCall, parent: string) {
  const id = accountNamed(parent, 'parent')
  const header = headers['login-account']
  if (headers['linked-account'] !== undefined) throw notEmulated('linked-account')
  const through = header === undefined ? id : accountNamed(String(header), 'login-account')
  return accountFor(id, { login: caller.login, through })
}

const isRehearsal = ({ searchParams }: URL) => searchParams.get('validateOnly') === 'true'

const PARAMETERS = ['alt', '$alt', 'prettyPrint', 'key']

function checkParameters({ searchParams }: URL, ...own: string[]): void {
  const unknown = [...searchParams.keys()].find(name => ![...PARAMETERS, ...own].includes(name))
  if (unknown === undefined) return
  throw malformed(
    `Unknown name "${unknown}": Cannot bind query parameter. Field '${unknown}' could not be found in request message.`,
  )
}
