import type { Buffer } from 'node:buffer'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { JournalEntry, Service } from './endpoint.ts'
import { invalid, Refusal, sheetsErrorBody, internalError } from './errors.ts'
import { faultAnswer } from './fault-answers.ts'
import { openFaults } from './faults.ts'
import type { Fault } from './faults.ts'
import { applyAsOwner } from './owner-edit.ts'
import { openQuota } from './quota.ts'
import type { QuotaSizes } from './quota.ts'
import { answerSheets } from './sheets-api.ts'
import type { Asked } from './sheets-api.ts'
import { openStore } from './store.ts'
import { answerViewer } from './viewer.ts'
import { json, readBody, send } from './wire.ts'
import type { Answer } from './wire.ts'
import { CELL_LIMIT } from './work.ts'
import { answerDrive } from '#sandbox/drive/drive-api.ts'
import { DriveRefusal, driveErrorBody } from '#sandbox/drive/errors.ts'
import { callerOf, revokeAll } from '#sandbox/oauth/caller.ts'
import { keyFile, systemKeyPair } from '#sandbox/oauth/key-pair.ts'
import { exchange } from '#sandbox/oauth/token.ts'

type Platform = 'sheets' | 'drive'

/**
 * The spreadsheet and drive service with its token endpoint, on its data in `dir`. `handle` answers every request of its paths and
 * resolves to false for all others, having touched nothing. `clock` dates documents; `origin` is the service's own address.
 */
export function createSheetsService({
  dir,
  clock,
  origin,
}: {
  dir: string
  clock: () => Date
  origin: () => string
}) {
  const store = openStore(dir)
  const keys = systemKeyPair(store.db)
  const faults = openFaults()
  const quota = openQuota({ clock, wall: () => performance.now() })
  let cell_limit = CELL_LIMIT
  let journal: JournalEntry[] = []
  let sequence = 0
  const closing = new AbortController()
  const service: Service = {
    store,
    clock,
    origin,
    quota,
    cell_limit: () => cell_limit,
    journal(entry) {
      journal.push({ sequence: ++sequence, at: clock().toISOString(), ...entry })
      if (journal.length > MOST_JOURNAL) journal = journal.slice(-MOST_JOURNAL / 2)
    },
  }

  function answer(platform: Platform, asked: Asking): Answer {
    try {
      const caller = callerOf(asked.authorization, store.db)
      const request = { ...asked, caller }
      return (
        (platform === 'sheets' ? answerSheets(service, request) : answerDrive(service, request)) ?? notThere()
      )
    } catch (error) {
      return errorAnswer(error)
    }
  }

  async function handleApi(platform: Platform, asked: Asking, response: ServerResponse) {
    const fault = faults.take(platform, asked.method, asked.url.pathname)
    const refused = fault && faultAnswer(fault, platform, asked.method)
    if (refused) return send(response, refused)
    if (fault) return handleFaulty(fault, platform, asked, response)
    return send(response, answer(platform, asked))
  }

  async function handleFaulty(fault: Fault, platform: Platform, asked: Asking, response: ServerResponse) {
    if (fault.action === 'drop_before_commit') return cut(response)
    if (fault.action === 'drop_after_commit') {
      answer(platform, asked)
      return cut(response)
    }
    if (fault.action === 'land_late') {
      cut(response)
      if (await waited(fault.delay_ms)) answer(platform, asked)
      return
    }
    if (fault.action === 'edit') applyAsOwner(service, asked.url.pathname, fault.requests ?? [])
    if (fault.action === 'delay' && !(await waited(fault.delay_ms))) return cut(response)
    await send(response, answer(platform, asked), fault.action === 'truncate')
  }

  /** False when the service was closed meanwhile: then nothing may be done any more. */
  const waited = (delay_ms: number) => sleep(delay_ms, true, { signal: closing.signal }).catch(() => false)

  function token(body: Buffer | null) {
    const form = new URLSearchParams(body?.toString('utf8') ?? '')
    const times = [clock().getTime() / 1000, Date.now() / 1000]
    const reply = exchange(form, { db: store.db, keys, audience: `${origin()}/token`, times })
    return json(reply.body, reply.status)
  }

  return {
    async handle(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
      const asked = readUrl(request.url ?? '')
      const path = asked.pathname
      const platform = platformOf(path)
      const is_token = path === '/token' && request.method === 'POST'
      if (!platform && !is_token && !/^\/spreadsheets(\/|$)/.test(path)) return false
      const { authorization } = request.headers
      // Whoever hangs up in the middle of a request has asked for nothing.
      const body = await readBody(request).catch(() => undefined)
      if (body === undefined || closing.signal.aborted) cut(response)
      else if (is_token) await send(response, token(body))
      else if (platform)
        await handleApi(
          platform,
          { method: request.method ?? 'GET', url: asked, authorization, body },
          response,
        )
      else await send(response, viewer(request.method ?? 'GET', asked, authorization))
      return true
    },
    control: {
      getFaults: faults.list,
      /** Replace all faults; a ZodError when one is none. */
      setFaults: faults.set,
      getQuota: quota.get,
      /** Requests per minute that a user and a project have. */
      setQuota: (sizes: Partial<QuotaSizes>) => quota.set(sizes),
      getCellLimit: () => cell_limit,
      /** Lower the limit of cells per spreadsheet; messages keep Google's number. */
      setCellLimit: (limit: number) => void (cell_limit = limit),
      /** What was changed, oldest first. */
      journal: () => [...journal],
      /** Make every access token given so far invalid. */
      revokeTokens: () => revokeAll(store.db),
      /** What Google's console would hand out for the system user. */
      serviceAccountKey: () => keyFile(keys, origin()),
      /** No faults, usual limits, empty journal; without `keep_files` no spreadsheets either. */
      reset({ keep_files = false }: { keep_files?: boolean } = {}) {
        faults.set([])
        quota.reset()
        cell_limit = CELL_LIMIT
        journal = []
        if (!keep_files) store.clear()
      },
    },
    close() {
      closing.abort()
      store.close()
    },
  }

  function viewer(method: string, asked: Asked, authorization: string | undefined): Answer {
    try {
      return answerViewer(service, method, asked, authorization) ?? notThere()
    } catch (error) {
      return errorAnswer(error)
    }
  }
}

const MOST_JOURNAL = 20_000

interface Asking {
  method: string
  url: Asked
  authorization: string | undefined
  body: Buffer | null
}

function platformOf(path: string): Platform | null {
  if (path === '/v4/spreadsheets' || path.startsWith('/v4/spreadsheets/')) return 'sheets'
  return path.startsWith('/drive/v3/') ? 'drive' : null
}

/** Not `new URL`: it would rewrite the path, whose encoding tells a title's slash from a separator. */
function readUrl(url: string): Asked {
  const [pathname = '', query = ''] = url.split(/\?(.*)/s)
  return { pathname, searchParams: new URLSearchParams(query) }
}

function errorAnswer(error: unknown): Answer {
  if (error instanceof Refusal) return json(sheetsErrorBody(error), error.code)
  if (error instanceof DriveRefusal) return json(driveErrorBody(error), error.code)
  if (error instanceof URIError)
    return json(sheetsErrorBody(invalid('Request contains an invalid argument.')), 400)
  console.error(error)
  return json(sheetsErrorBody(internalError()), 500)
}

const notThere = (): Answer => ({
  status: 404,
  type: 'text/html; charset=UTF-8',
  chunks: [
    '<!DOCTYPE html><title>Error 404 (Not Found)!!1</title><p>The requested URL was not found on this server.',
  ],
})

/** Close the connection without an answer. */
const cut = (response: ServerResponse) => void response.socket?.destroy()
