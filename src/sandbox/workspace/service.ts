import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { handle, errorResponse, apiOf } from './handle.ts'
import type { Incoming } from './handle.ts'
import { faultResponse } from './fault-responses.ts'
import { openFaults } from './faults.ts'
import type { Fault } from './faults.ts'
import { personOf } from '#sandbox/dataset/persons.ts'
import { callerOf, revokeAll, revokeTokensOf } from '#sandbox/oauth/caller.ts'
import { createGrants, type Grants } from '#sandbox/oauth/grants.ts'
import { keyFile, SYSTEM_USER, systemKeyPair } from '#sandbox/oauth/key-pair.ts'
import type { Service } from '#sandbox/sheets/endpoint.ts'
import { openJournal } from '#sandbox/sheets/journal.ts'
import { applyAsOwner } from '#sandbox/sheets/owner-edit.ts'
import { openQuota } from '#sandbox/sheets/quota.ts'
import type { QuotaSizes } from '#sandbox/sheets/quota.ts'
import type { RequestUrl } from '#sandbox/sheets/sheets-api.ts'
import { openStore } from '#sandbox/sheets/store.ts'
import { readBody, send } from '#sandbox/sheets/wire.ts'
import type { HttpResponse } from '#sandbox/sheets/wire.ts'
import { CELL_LIMIT } from '#sandbox/sheets/work.ts'

/**
 * The spreadsheet and drive service with its token endpoint, on its data in `dir`. `handle` handles every
 * request of its paths and resolves to false for all others, having touched nothing. `clock` dates documents;
 * `origin` is the service's own address; `system_users` are the addresses of the service accounts that it
 * knows, `grants` what people have agreed to.
 */
export function createSheetsService(options: {
  dir: string
  clock: () => Date
  origin: () => string
  system_users?: readonly string[]
  grants?: Grants
}) {
  const { clock, origin, system_users = [SYSTEM_USER], grants = createGrants() } = options
  const store = openStore(options.dir)
  const accounts = new Map(system_users.map(email => [email, systemKeyPair(store.db, email)]))
  const issuer = { accounts, grants }
  grants.onRevoked(({ provider, person }) => {
    if (provider === 'google') revokeTokensOf(store.db, personOf(person).email)
  })
  const faults = openFaults()
  const quota = openQuota({ clock, wall: () => performance.now() })
  const journal = openJournal(clock)
  const closing = new AbortController()
  const limits = { cells: CELL_LIMIT }
  const service: Service = {
    store,
    clock,
    origin,
    system_users,
    quota,
    cell_limit: () => limits.cells,
    journal: journal.add,
  }

  return {
    async handle(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
      const { method = 'GET', headers } = request
      const url = readUrl(request.url ?? '')
      const position = apiOf(method, url.pathname)
      if (!position) return false
      // A client that disconnects in the middle of a request gets no response.
      const body = await readBody(request).catch(() => undefined)
      if (body === undefined || closing.signal.aborted) {
        cut(response)
        return true
      }
      const incoming = { method, url, authorization: headers.authorization, body }
      const carryOut = () => handle(service, issuer, { api: position, incoming })
      const fault =
        position === 'sheets' || position === 'drive' ? faults.take(position, method, url.pathname) : null
      if (fault)
        await deliverFaulty(fault, incoming, { service, response, carryOut, closing: closing.signal })
      else await send(response, carryOut())
      return true
    },
    control: {
      getFaults: faults.list,
      /** Replace all faults; a ZodError when one is none. */
      setFaults: faults.set,
      getQuota: quota.get,
      /** Requests per minute that a user and a project have. */
      setQuota: (sizes: Partial<QuotaSizes>) => quota.set(sizes),
      getCellLimit: () => limits.cells,
      /** Lower the limit of cells per spreadsheet; messages have Google's number. */
      setCellLimit: (cells: number) => void (limits.cells = cells),
      /** What was changed, oldest first. */
      journal: journal.list,
      /** Make every access token issued so far invalid. */
      revokeTokens: () => revokeAll(store.db),
      /** The login of the token in this header, for the other services of Google. */
      login: (authorization: string | undefined) => callerOf(authorization, store.db),
      /** The key file of a system user as Google's console would issue it, else of the first one. */
      serviceAccountKey: (email = system_users[0] ?? SYSTEM_USER) =>
        keyFile(systemKeyPair(store.db, email), origin()),
      system_users,
      /** No faults, usual limits, empty journal; without `keep_files` no spreadsheets either. */
      reset({ keep_files = false }: { keep_files?: boolean } = {}) {
        faults.set([])
        quota.reset()
        limits.cells = CELL_LIMIT
        journal.clear()
        if (!keep_files) store.clear()
      },
    },
    close() {
      closing.abort()
      store.close()
    },
  }
}

interface Delivery {
  service: Service
  response: ServerResponse
  carryOut: () => HttpResponse
  closing: AbortSignal
}

/** Respond, or fail to, as the fault has it. */
async function deliverFaulty(
  fault: Fault,
  { method, url }: Incoming,
  { service, response, carryOut, closing }: Delivery,
) {
  // False when the service was closed meanwhile: then nothing may be done any more.
  const waited = () => sleep(fault.delay_ms, true, { signal: closing }).catch(() => false)
  const refused = faultResponse(fault, method)
  if (refused) return send(response, refused)
  switch (fault.action) {
    case 'drop_before_commit':
      return cut(response)
    case 'drop_after_commit':
      carryOut()
      return cut(response)
    case 'land_late':
      cut(response)
      if (await waited()) carryOut()
      return
    case 'delay':
      return (await waited()) ? send(response, carryOut()) : cut(response)
    case 'edit':
      return send(response, editedFirst(service, url, { fault, carryOut }))
    default:
      return send(response, carryOut(), fault.action === 'truncate')
  }
}

function editedFirst(
  service: Service,
  url: RequestUrl,
  { fault, carryOut }: { fault: Fault; carryOut: () => HttpResponse },
): HttpResponse {
  try {
    applyAsOwner(service, url.pathname, fault.requests ?? [])
  } catch (error) {
    return errorResponse(error)
  }
  return carryOut()
}

/**
 * Not `new URL`: it would rewrite the path, whose encoding distinguishes a title's slash from a separator.
 */
function readUrl(url: string): RequestUrl {
  const [pathname = '', query = ''] = url.split(/\?(.*)/s)
  return { pathname, searchParams: new URLSearchParams(query) }
}

/** Close the connection without a response. */
const cut = (response: ServerResponse) => void response.socket?.destroy()
