import type { IncomingMessage } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import type { Limits } from '#sandbox/control/control.ts'
import { armedBy, createFaults } from '#sandbox/control/faults.ts'
import { readBody } from '#sandbox/http/body.ts'
import { type HttpResponse, json, send } from '#sandbox/http/response.ts'
import { together } from '#sandbox/memory.ts'
import type { Platform, PlatformContext } from '#sandbox/platform.ts'
import { callerOf } from './access.ts'
import { DataManagerError, envelope, malformed } from './errors.ts'
import { DataManagerFault, refuseByFault } from './faults.ts'
import { createQuota } from './quota.ts'
import { createRequests } from './requests.ts'
import { NOT_EMULATED, route } from './routes.ts'
import { createUserLists } from './user-lists.ts'

const PATH = /^\/v1\/(accountTypes\/|audienceMembers:|requestStatus:|events:|adEvents:)/
const FILLING_S = 60
/** Ten thousand members with ten identifiers each. */
const MOST_BYTES = 32 * 1024 * 1024

/** The Data Manager API: user lists of Google Ads accounts, and who is in them. */
export function createDataManager({ clock, login }: PlatformContext): Platform {
  const faults = createFaults<DataManagerFault>()
  const quota = createQuota()
  let fillingSeconds = FILLING_S
  const fillingMs = () => fillingSeconds * 1000
  const lists = createUserLists(fillingMs)
  const requests = createRequests(fillingMs)

  const respond = (incoming: Incoming, hits: DataManagerFault[]): HttpResponse => {
    const { headers } = incoming
    const now = clock.now()
    // Of this clock, as the times in answers are: callers take Google's time from it.
    const date = { date: new Date(now).toUTCString() }
    try {
      refuseByFault(hits)
      const caller = callerOf(headers.authorization, login)
      quota.count(
        incoming.url.pathname.startsWith('/v1/audienceMembers:') ? 'ingestion' : 'others',
        caller.project,
        now,
      )
      if (!/^application\/json\b/i.test(headers['content-type'] ?? '') && incoming.body !== '')
        throw malformed('Expected an object.')
      const reply = route({ ...incoming, caller, hits, now, lists, requests })
      return reply ? json(200, reply, date) : notThere
    } catch (error) {
      if (!(error instanceof DataManagerError)) throw error
      const realm = { 'www-authenticate': 'Bearer realm="https://accounts.google.com/"' }
      return json(error.status, envelope(error), { ...date, ...(error.status === 401 && realm) })
    }
  }

  return {
    name: 'data_manager',
    owns: pathname => PATH.test(pathname),
    async handle(request, response, url) {
      const incoming = await read(request, url)
      const { account, method } = incoming
      const hits = faults.take({ account, method, path: url.pathname })
      const fault = (action: DataManagerFault['action']) => hits.find(hit => hit.action === action)
      const delayMs = fault('latency')?.delay_ms ?? 0
      if (delayMs > 0) await wait(delayMs)
      const reply = respond(incoming, hits)
      const body = fault('malformed') ? reply.body.slice(0, Math.ceil(reply.body.length / 2)) : reply.body
      await send(request, response, { ...reply, body, cut: fault('cut') !== undefined })
      return { account, ...(incoming.counts && { counts: incoming.counts }) }
    },
    remembered: together({ lists: lists.remembered, requests: requests.remembered }),
    control: {
      ...armedBy('data_manager', faults, DataManagerFault),
      not_emulated: NOT_EMULATED,
      reset() {
        fillingSeconds = FILLING_S
        quota.reset()
        lists.reset()
        requests.reset()
      },
      limits: {
        names: ['data_manager_filling_s', ...quota.limits.names],
        get: () => ({ data_manager_filling_s: fillingSeconds, ...quota.limits.get() }),
        set({ data_manager_filling_s: seconds, ...others }: Parameters<Limits['set']>[0]) {
          if (seconds !== undefined) fillingSeconds = z.number().nonnegative().parse(seconds)
          if (Object.keys(others).length > 0) quota.limits.set(others)
        },
      },
    },
  }
}

interface Incoming {
  method: string
  url: URL
  headers: IncomingMessage['headers']
  body: string
  /** The one of the address, or of the first destination. */
  account: string | null
  /** How much was sent, for the log: it never has the hashes themselves. */
  counts: Record<string, number> | null
}

async function read(request: IncomingMessage, url: URL): Promise<Incoming> {
  const body = (await readBody(request, MOST_BYTES))?.toString('utf8') ?? ''
  const { method = 'GET', headers } = request
  const ofAddress = /\/accounts\/(\d+)(\/|$)/.exec(url.pathname)?.[1] ?? null
  const isAboutMembers = url.pathname.startsWith('/v1/audienceMembers:')
  const ofDestination = /"operatingAccount"\s*:\s*\{[^}]*"accountId"\s*:\s*"(\d+)"/.exec(body)?.[1] ?? null
  const countOf = (what: RegExp) => body.match(what)?.length ?? 0
  return {
    method,
    url,
    headers,
    body,
    account: ofAddress ?? ofDestination,
    counts: isAboutMembers
      ? {
          destinations: countOf(/"productDestinationId"/g),
          members: countOf(/"userData"/g),
          identifiers: countOf(/"(emailAddress|phoneNumber)"/g),
        }
      : null,
  }
}

const notThere: HttpResponse = {
  status: 404,
  type: 'text/html; charset=UTF-8',
  body: '<!DOCTYPE html><title>Error 404 (Not Found)!!1</title><p>The requested URL was not found on this server.',
}
