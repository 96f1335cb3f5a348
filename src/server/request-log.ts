import type { Logger } from 'pino'
import type { ConnectorContext } from './connectors/connector.ts'
import { logRequests, type LoggedRequest } from './connectors/request-log.ts'
import type { SystemUser } from './sheets/system-user.ts'
import { tellCalls, type ToldCall } from './sheets/told-client.ts'

/** Whose requests they are; empty outside of runs. */
export interface Asker {
  run?: string
  attempt?: number
}

type Log = Pick<Logger, 'debug' | 'info' | 'warn'>

/**
 * What ends without an answer or is the platform's own failure is to be seen at night; a refusal and a slow
 * answer when somebody looks; the rest on request.
 */
export function logRequest(log: Log, told: LoggedRequest & Asker) {
  const { status, took_ms } = told
  if (status === null || status >= 500) log.warn(told, 'a request to a platform has failed')
  else if (status >= 400) log.info(told, 'a platform has refused a request')
  else if (took_ms >= SLOW_MS) log.info(told, 'a slow answer of a platform')
  else log.debug(told, 'a request to a platform')
}

export function logCall(log: Log, told: ToldCall & Asker) {
  const { code, took_ms } = told
  if (code === 'spreadsheet_unavailable') log.warn(told, 'a call of the spreadsheet service has failed')
  else if (code !== null) log.info(told, 'the spreadsheet service has refused a call')
  else if (took_ms >= SLOW_MS) log.info(told, 'a slow answer of the spreadsheet service')
  else log.debug(told, 'a call of the spreadsheet service')
}

export function logQuotaWait(log: Log, waited: { platform: string; waited_ms: number } & Asker) {
  if (waited.waited_ms >= 1) log.debug(waited, 'a quota was waited for')
}

type Effects = Pick<ConnectorContext, 'fetch' | 'hosts'> & { system_users: readonly SystemUser[] }

/** For what is asked outside of runs: previews, lists of accounts, permission checks, the spend of charts. */
export const withRequestLog = <Given extends Effects>(effects: Given, log: Log): Given => ({
  ...effects,
  fetch: logRequests(effects.fetch, effects.hosts, told => logRequest(log, told)),
  system_users: effects.system_users.map(user => ({
    ...user,
    client: tellCalls(user.client, told => logCall(log, told)),
  })),
})

const SLOW_MS = 10_000
