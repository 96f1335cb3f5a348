import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '#server/db/connect.ts'

// What measurements of a whole product ask it, as somebody who has signed in.

/** Throws for an answer that is no success. */
export type Ask = (method: string, path: string, body?: object) => Promise<unknown>

const Access = z.looseObject({ access: z.string() })
/** A session is made anew before its token runs out. */
const SESSION_MS = 5 * 60_000

export async function signedIn(
  origin: string,
  { username = 'manager', password = 'sheetcast-demo' } = {},
): Promise<Ask> {
  const call = async (method: string, path: string, body?: object, token?: string): Promise<unknown> => {
    const response = await fetch(origin + path, {
      method,
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(token && { authorization: `Bearer ${token}` }),
      },
      body: body ? JSON.stringify(body) : null,
    })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return await response.json()
  }
  const signIn = async () => {
    const { access } = Access.parse(await call('POST', '/api/token/', { username, password }))
    return { access, at: performance.now() }
  }
  let session = await signIn()
  // Somebody who clicks has a page open, and a worker process stays for that.
  const page = await fetch(`${origin}/api/events/`, {
    headers: { authorization: `Bearer ${session.access}` },
  })
  page.body?.pipeTo(new WritableStream()).catch(() => undefined)
  return async (method, path, body) => {
    if (performance.now() - session.at > SESSION_MS) session = await signIn()
    return await call(method, path, body, session.access)
  }
}

/** Milliseconds of the list of reports, requested repeatedly for as long as `goesOn` says. */
export async function probeList(
  ask: Ask,
  pauseMs: number,
  goesOn: (count: number) => boolean | Promise<boolean>,
): Promise<number[]> {
  const times: number[] = []
  while (await goesOn(times.length)) {
    const started = performance.now()
    await ask('GET', '/api/gs-template-setting/?limit=25')
    times.push(performance.now() - started)
    await sleep(pauseMs)
  }
  return times
}

/** Runs that wait or are worked on. */
export async function unfinished(db: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from run where status in ('queued', 'fetching', 'writing')`.execute(db)
  return rows[0]?.n ?? 0
}
