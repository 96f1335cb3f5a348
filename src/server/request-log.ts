import type { Logger } from 'pino'
import type { ConnectorContext } from './connectors/connector.ts'
import { logRequests, type LoggedRequest } from './connectors/request-log.ts'
import { liveList } from './live-list.ts'
import type { SystemUser } from './sheets/system-user.ts'
import { logCalls, type LoggedCall } from './sheets/logged-client.ts'

/** The run that the requests belong to; empty outside of runs. */
export interface RequestOrigin {
  run?: string
  attempt?: number
}

type Log = Pick<Logger, 'debug' | 'info' | 'warn'>

/**
 * Requests without a response and failures of the platform are warnings; refusals and slow responses are
 * info; the rest is debug.
 */
export function logRequest(log: Log, request: LoggedRequest & RequestOrigin) {
  const { status, took_ms } = request
  if (status === null || status >= 500) log.warn(request, 'platform request failed')
  else if (status >= 400) log.info(request, 'platform request refused')
  else if (took_ms >= SLOW_MS) log.info(request, 'slow platform response')
  else log.debug(request, 'platform request')
}

export function logCall(log: Log, request: LoggedCall & RequestOrigin) {
  const { code, took_ms } = request
  if (code === 'spreadsheet_unavailable') log.warn(request, 'spreadsheet call failed')
  else if (code !== null) log.info(request, 'spreadsheet call refused')
  else if (took_ms >= SLOW_MS) log.info(request, 'slow spreadsheet response')
  else log.debug(request, 'spreadsheet call')
}

export function logQuotaWait(log: Log, wait: { platform: string; waited_ms: number } & RequestOrigin) {
  if (wait.waited_ms >= 1) log.debug(wait, 'waited for a quota')
}

type Effects = Pick<ConnectorContext, 'fetch' | 'hosts'> & { system_users: readonly SystemUser[] }

/** For requests outside of runs: previews, lists of accounts, permission checks, the spend of charts. */
export const withRequestLog = <Given extends Effects>(effects: Given, log: Log): Given => ({
  ...effects,
  fetch: logRequests(effects.fetch, effects.hosts, request => logRequest(log, request)),
  system_users: withCallLog(effects.system_users, log),
})

/** Each of them stays one object: it is compared. */
function withCallLog(users: readonly SystemUser[], log: Log): readonly SystemUser[] {
  const logged = new WeakMap<SystemUser, SystemUser>()
  return liveList(() =>
    users.map(user => {
      const known = logged.get(user)
      const one = known ?? { ...user, client: logCalls(user.client, request => logCall(log, request)) }
      logged.set(user, one)
      return one
    }),
  )
}

const SLOW_MS = 10_000
