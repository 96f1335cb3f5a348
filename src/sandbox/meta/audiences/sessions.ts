import { z } from 'zod'
import { invalid } from '#sandbox/meta/errors.ts'
import type { SessionOf } from './payload.ts'
import { SESSION_MS } from './states.ts'

/** Batches of one change, as they are stored: without the samples, which repeat what came. */
const Session = z.object({
  id: z.string(),
  /** What is changed, and how: all batches say the same. */
  change: z.string(),
  schema: z.string(),
  first_at: z.number(),
  last_seq: z.number(),
  is_finished: z.boolean(),
  num_received: z.number(),
  num_invalid_entries: z.number(),
})
export const StoredSessions = z.array(z.tuple([z.string(), Session]))

export interface Session extends z.output<typeof Session> {
  invalid_entry_samples: Record<string, string>
}

export interface Sessions {
  /** By ids that are unique in an ad account; null when nothing has come of it. */
  find(accountId: string, sessionId: string): Session | null
  /** Begins with the first batch. */
  start(accountId: string, session: Pick<Session, 'id' | 'change' | 'schema' | 'first_at'>): Session
  all(): z.output<typeof StoredSessions>
  /** Those that were stored take the place of all others. */
  take(stored: z.output<typeof StoredSessions>): void
  reset(): void
}

export function createSessions(): Sessions {
  const sessions = new Map<string, Session>()
  return {
    find: (accountId, sessionId) => sessions.get(`${accountId} ${sessionId}`) ?? null,
    start(accountId, started) {
      const session = {
        ...started,
        last_seq: 0,
        is_finished: false,
        num_received: 0,
        num_invalid_entries: 0,
        invalid_entry_samples: {},
      }
      sessions.set(`${accountId} ${session.id}`, session)
      return session
    },
    all: () => [...sessions],
    take(stored) {
      sessions.clear()
      for (const [key, session] of stored) sessions.set(key, { ...session, invalid_entry_samples: {} })
    },
    reset: () => sessions.clear(),
  }
}

/** Refuses a batch that does not continue what its session began. */
export function refuseOtherBatch(
  session: Session,
  batch: { change: string; schema: string; seq: number },
): void {
  if (session.change !== batch.change)
    throw invalid(`session_id ${session.id} is used by another session of this ad account`)
  if (session.schema !== batch.schema)
    throw invalid('The schema must be the same in all batches of a session')
  if (batch.seq > session.last_seq + 1)
    throw invalid(`batch_seq must be ${session.last_seq + 1}, not ${batch.seq}`)
}

export const isOver = ({ is_finished, first_at }: Session, now: number) =>
  is_finished || now >= first_at + SESSION_MS

/** The batch belongs to the session. */
export function countBatch(
  session: Session,
  { seq, last }: Pick<SessionOf, 'seq' | 'last'>,
  counted: { rows: number; invalid: Record<string, string>[] },
): void {
  session.last_seq = Math.max(session.last_seq, seq)
  session.is_finished ||= last
  session.num_received += counted.rows
  session.num_invalid_entries += counted.invalid.length
  const free = MOST_SAMPLES - Object.keys(session.invalid_entry_samples).length
  Object.assign(session.invalid_entry_samples, ...counted.invalid.slice(0, Math.max(0, free)))
}

const MOST_SAMPLES = 100
