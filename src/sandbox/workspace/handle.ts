import type { Buffer } from 'node:buffer'
import { handleDrive } from '#sandbox/drive/drive-api.ts'
import { DriveRefusal, driveErrorBody } from '#sandbox/drive/errors.ts'
import { callerOf } from '#sandbox/oauth/caller.ts'
import type { KeyPair } from '#sandbox/oauth/key-pair.ts'
import { exchange } from '#sandbox/oauth/token.ts'
import type { Service } from '#sandbox/sheets/endpoint.ts'
import { internalError, invalid, Refusal, sheetsErrorBody } from '#sandbox/sheets/errors.ts'
import { handleSheets } from '#sandbox/sheets/sheets-api.ts'
import type { RequestUrl } from '#sandbox/sheets/sheets-api.ts'
import { handleViewer } from '#sandbox/sheets/viewer.ts'
import { json } from '#sandbox/sheets/wire.ts'
import type { HttpResponse } from '#sandbox/sheets/wire.ts'

export type Api = 'sheets' | 'drive' | 'token' | 'viewer'

/** A request with its whole body; null: it is larger than Google accepts. */
export interface Incoming {
  method: string
  url: RequestUrl
  authorization: string | undefined
  body: Buffer | null
}

/** The API that a path belongs to; null when it is none of the service's. */
export function apiOf(method: string, path: string): Api | null {
  if (path === '/v4/spreadsheets' || path.startsWith('/v4/spreadsheets/')) return 'sheets'
  if (path.startsWith('/drive/v3/')) return 'drive'
  if (path === '/token' && method === 'POST') return 'token'
  return /^\/spreadsheets(\/|$)/.test(path) ? 'viewer' : null
}

/** Carries a request out; a refusal is a response too. Never throws. */
export function handle(
  service: Service,
  accounts: Accounts,
  { api, incoming }: { api: Api; incoming: Incoming },
): HttpResponse {
  const request = { ...incoming, caller: callerOf(incoming.authorization, service.store.db) }
  try {
    switch (api) {
      case 'sheets':
        return handleSheets(service, request) ?? notThere()
      case 'drive':
        return handleDrive(service, request) ?? notThere()
      case 'viewer':
        return handleViewer(service, incoming) ?? notThere()
      case 'token':
        return token(service, accounts, incoming.body)
    }
  } catch (error) {
    return errorResponse(error)
  }
}

/** The key pairs of the system users, by address. */
export type Accounts = ReadonlyMap<string, KeyPair>

function token({ store, clock, origin }: Service, accounts: Accounts, body: Buffer | null): HttpResponse {
  const form = new URLSearchParams(body?.toString('utf8') ?? '')
  // Either the sandbox's time or the machine's is accepted: the caller knows only one of the two.
  const times = [clock().getTime() / 1000, Date.now() / 1000]
  const reply = exchange(form, { db: store.db, accounts, audience: `${origin()}/token`, times })
  return json(reply.body, reply.status)
}

export function errorResponse(error: unknown): HttpResponse {
  if (error instanceof Refusal) return json(sheetsErrorBody(error), error.code)
  if (error instanceof DriveRefusal) return json(driveErrorBody(error), error.code)
  if (error instanceof URIError)
    return json(sheetsErrorBody(invalid('Request contains an invalid argument.')), 400)
  console.error(error)
  return json(sheetsErrorBody(internalError()), 500)
}

const notThere = (): HttpResponse => ({
  status: 404,
  type: 'text/html; charset=UTF-8',
  chunks: [
    '<!DOCTYPE html><title>Error 404 (Not Found)!!1</title><p>The requested URL was not found on this server.',
  ],
})
