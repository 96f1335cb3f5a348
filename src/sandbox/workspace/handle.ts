import type { Buffer } from 'node:buffer'
import { handleDrive } from '#sandbox/drive/drive-api.ts'
import { DriveRefusal, driveErrorBody } from '#sandbox/drive/errors.ts'
import { callerOf, emailOfToken } from '#sandbox/oauth/caller.ts'
import type { Grants } from '#sandbox/oauth/grants.ts'
import type { KeyPair } from '#sandbox/oauth/key-pair.ts'
import { revoke } from '#sandbox/oauth/refresh.ts'
import { exchange } from '#sandbox/oauth/token.ts'
import type { Service } from '#sandbox/sheets/endpoint.ts'
import { internalError, invalid, Refusal, sheetsErrorBody } from '#sandbox/sheets/errors.ts'
import { handleSheets } from '#sandbox/sheets/sheets-api.ts'
import type { RequestUrl } from '#sandbox/sheets/sheets-api.ts'
import { handleViewer } from '#sandbox/sheets/viewer.ts'
import { json } from '#sandbox/sheets/wire.ts'
import type { HttpResponse } from '#sandbox/sheets/wire.ts'

export type Api = 'sheets' | 'drive' | 'token' | 'revoke' | 'viewer'

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
  if (path === '/revoke' && method === 'POST') return 'revoke'
  return /^\/spreadsheets(\/|$)/.test(path) ? 'viewer' : null
}

/** Carries a request out; a refusal is a response too. Never throws. */
export function handle(
  service: Service,
  issuer: Issuer,
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
        return token(service, issuer, incoming.body)
      case 'revoke':
        return revoked(service, issuer, incoming)
    }
  } catch (error) {
    return errorResponse(error)
  }
}

/** What tokens are issued for: the key pairs of the system users, by address, and people's consents. */
export interface Issuer {
  accounts: ReadonlyMap<string, KeyPair>
  grants: Grants
}

function token({ store, clock, origin }: Service, issuer: Issuer, body: Buffer | null): HttpResponse {
  const form = new URLSearchParams(body?.toString('utf8') ?? '')
  // Either the sandbox's time or the machine's is accepted: the caller knows only one of the two.
  const times: [number, number] = [clock().getTime() / 1000, Date.now() / 1000]
  const reply = exchange(form, { db: store.db, ...issuer, audience: `${origin()}/token`, times })
  return json(reply.body, reply.status)
}

/** The token is in the address or in a form. */
function revoked({ store, clock }: Service, { grants }: Issuer, { url, body }: Incoming): HttpResponse {
  const form = new URLSearchParams(body?.toString('utf8') ?? '')
  const reply = revoke(url.searchParams.get('token') ?? form.get('token'), {
    grants,
    now: clock().getTime(),
    personOfAccess: text => emailOfToken(store.db, text),
  })
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
