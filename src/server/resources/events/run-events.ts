import { RunEvent } from '#shared/api/executions.ts'
import type { Db } from '#server/db/connect.ts'
import type { Listen } from '#server/db/listen.ts'
import type { RunEvents } from '#server/http/effects.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { accessOf } from '#server/resources/reports/present.ts'
import { readReports } from '#server/resources/reports/queries.ts'
import { RUN_CHANNEL } from '#server/resources/runs/queries.ts'

interface Listener {
  person: SignedInUser
  tell: (event: RunEvent) => void
  /** What was found out about reports, and until when it holds. */
  seen: Map<number, { may: boolean; until: number }>
}

// How long somebody may go on hearing of a report that is no longer shared with them; only that it moved, nothing of what is in it.
const HOLDS_MS = 30_000

/** Tells whoever has joined of runs that have moved, each only of reports that they may see. */
export async function openRunEvents(db: Db, listen: Listen): Promise<RunEvents> {
  const listeners = new Set<Listener>()
  await listen(RUN_CHANNEL, payload => {
    const event = RunEvent.parse(JSON.parse(payload))
    for (const listener of listeners) void tellIfSeen(db, listener, event)
  })
  return {
    join(person, tell) {
      const listener: Listener = { person, tell, seen: new Map() }
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

async function tellIfSeen(db: Db, { person, tell, seen }: Listener, event: RunEvent) {
  const now = performance.now()
  const known = seen.get(event.report)
  if (known && known.until > now) {
    if (known.may) tell(event)
    return
  }
  const [report] = await readReports(db, person, [event.report]).catch(() => [])
  const may = report !== undefined && accessOf(person, report) !== null
  seen.set(event.report, { may, until: now + HOLDS_MS })
  if (may) tell(event)
}
