import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Client } from 'pg'
import { backoffMs } from '#server/backoff.ts'
import type { Db } from './connect.ts'
import { textOf } from './problem.ts'
import { endWhenSilent } from './dead-sessions.ts'

/**
 * Calls `handler` with the payload of each notification. Notifications are lost while the connection is;
 * `missed` is called when it is back, to read once what may have happened meanwhile. Returns how to stop.
 * Never fails: it keeps trying.
 */
export type Listen = (
  channel: string,
  handler: (payload: string) => void,
  missed?: () => void,
) => Promise<() => Promise<void>>

/** Wakes the listeners when the transaction commits, never before; payloads have at most 7999 bytes. */
export async function notify(db: Db, channel: string, payload = ''): Promise<void> {
  await sql`select pg_notify(${channel}, ${payload})`.execute(db)
}

interface Session {
  client: Client
  run: (statement: string) => Promise<unknown>
}

/** A connection executes one statement after the other. */
function oneAtATime(client: Client): Session['run'] {
  let last: Promise<unknown> = Promise.resolve()
  return statement => {
    const result = last.then(() => client.query(statement))
    last = result.catch(() => undefined)
    return result
  }
}

type Subscription = { channel: string; handler: (payload: string) => void; missed: () => void }

/**
 * One connection for all channels of a process, opened with the first and opened again whenever it is lost.
 */
export function createListener(newClient: () => Client, log: (message: string) => void) {
  const subscriptions = new Set<Subscription>()
  let session: Promise<Session> | null = null
  let closed = false

  const connected = () => (session ??= connectWithPatience())

  async function connectWithPatience(): Promise<Session> {
    for (let attempt = 1; ; attempt += 1) {
      const client = newClient()
      client.on('error', () => undefined) // the end event follows
      try {
        await client.connect()
        endWhenSilent(client, SILENT_MS)
        const run = oneAtATime(client)
        for (const { channel } of subscriptions) await run(`listen ${client.escapeIdentifier(channel)}`)
        client.on('notification', ({ channel, payload = '' }) => {
          for (const subscription of subscriptions)
            if (subscription.channel === channel) subscription.handler(payload)
        })
        let beating: Promise<unknown> | null = null
        const beat = () => {
          beating ??= run('select 1')
            .catch(() => undefined)
            .finally(() => (beating = null))
        }
        const heart = setInterval(beat, HEARTBEAT_MS).unref()
        client.once('end', () => {
          clearInterval(heart)
          if (!closed) reconnect()
        })
        return { client, run }
      } catch (error) {
        await client.end().catch(() => undefined)
        if (closed) throw error
        log(`waiting for notifications of the database: ${textOf(error)}`)
        await sleep(backoffMs(attempt, PAUSES))
      }
    }
  }

  function reconnect() {
    session = connectWithPatience()
    // It fails only when closed meanwhile.
    session.then(() => subscriptions.forEach(({ missed }) => missed())).catch(() => undefined)
  }

  const listen: Listen = async (channel, handler, missed = () => undefined) => {
    const subscription = { channel, handler, missed }
    subscriptions.add(subscription)
    const { client, run } = await connected()
    // A connection lost in this moment is opened again with the channel among the subscriptions.
    await run(`listen ${client.escapeIdentifier(channel)}`).catch(() => undefined)
    return async () => {
      subscriptions.delete(subscription)
      if ([...subscriptions].some(other => other.channel === channel) || closed) return
      const current = await connected()
      await current.run(`unlisten ${client.escapeIdentifier(channel)}`).catch(() => undefined)
    }
  }

  async function close() {
    closed = true
    subscriptions.clear()
    await session?.then(
      ({ client }) => client.end(),
      () => undefined,
    )
  }

  return { listen, close }
}

// A peer that vanished without closing the connection (sleep, a cut cable) is noticed by a response that does
// not come.
const HEARTBEAT_MS = 2000
const SILENT_MS = 6000
const PAUSES = { first_ms: 200, longest_ms: 5000 }
