import type { SheetsClient } from './client.ts'
import { SheetsFailure } from './failure.ts'

/** One call of the spreadsheet service; never the content of the file. */
export interface LoggedCall {
  call: Exclude<keyof SheetsClient, 'system_user' | 'project'>
  system_user: string
  spreadsheet: string
  /** null: it succeeded. */
  code: string | null
  took_ms: number
}

/** The same client, and each call is logged when it is over. */
export function logCalls(client: SheetsClient, log: (entry: LoggedCall) => void): SheetsClient {
  const { system_user, project } = client
  const timed = async <T>(
    call: LoggedCall['call'],
    spreadsheet: string,
    response: Promise<T>,
  ): Promise<T> => {
    const from = performance.now()
    let code: string | null = null
    try {
      return await response
    } catch (error) {
      code = error instanceof SheetsFailure ? error.code : 'aborted'
      throw error
    } finally {
      log({ call, system_user, spreadsheet, code, took_ms: Math.round(performance.now() - from) })
    }
  }
  return {
    system_user,
    project,
    getSpreadsheet: (id, ...rest) => timed('getSpreadsheet', id, client.getSpreadsheet(id, ...rest)),
    getValues: (id, ...rest) => timed('getValues', id, client.getValues(id, ...rest)),
    getManyValues: (id, ...rest) => timed('getManyValues', id, client.getManyValues(id, ...rest)),
    getFile: (id, ...rest) => timed('getFile', id, client.getFile(id, ...rest)),
    listPermissions: (id, ...rest) => timed('listPermissions', id, client.listPermissions(id, ...rest)),
    batchUpdate: (id, ...rest) => timed('batchUpdate', id, client.batchUpdate(id, ...rest)),
    putValues: (id, ...rest) => timed('putValues', id, client.putValues(id, ...rest)),
    batchUpdateValues: (id, ...rest) => timed('batchUpdateValues', id, client.batchUpdateValues(id, ...rest)),
  }
}
