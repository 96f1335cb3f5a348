import type { Client } from 'pg'
import { endWhenSilent } from './dead-sessions.ts'

const FRESH_MS = 500
const PATIENCE_MS = 4000

/**
 * Returns which sessions the server is executing a statement for, over a session of its own; concurrent calls
 * share one query.
 */
export function busySessions(newClient: () => Client): () => Promise<ReadonlySet<number>> {
  let known: Promise<ReadonlySet<number>> | null = null
  return () => {
    if (known) return known
    const forget = () => void (known = null)
    known = readBusy(newClient())
    known.then(() => setTimeout(forget, FRESH_MS).unref(), forget)
    return known
  }
}

async function readBusy(client: Client): Promise<ReadonlySet<number>> {
  client.on('error', () => undefined)
  try {
    await client.connect()
    endWhenSilent(client, PATIENCE_MS)
    const { rows } = await client.query<{ pid: number }>(
      `select pid from pg_stat_activity where state <> 'idle' and state <> 'idle in transaction' and pid <> pg_backend_pid()`,
    )
    return new Set(rows.map(({ pid }) => pid))
  } finally {
    await client.end().catch(() => undefined)
  }
}
