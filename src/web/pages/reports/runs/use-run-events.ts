import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { RunEvent } from '#shared/api/executions.ts'
import { listenLive } from '#web/client/live.ts'

/** Runs change in bursts: their events are collected for this long before anything is requested again. */
const GATHER_MS = 250

/** Keeps the shown runs up to date while a page is open. */
export function useRunEvents() {
  const queries = useQueryClient()
  useEffect(() => {
    const tell = gatherer(queries)
    return listenLive({
      onOpen: () => void refetch(queries, ['execution', 'run', 'runs', 'reports']),
      // How far a run is by now; lists have what the events say, and do not move because somebody comes back.
      onResume: () => void refetch(queries, ['execution', 'run']),
      onEvent({ event, data }) {
        if (event === 'run') tell(JSON.parse(data))
      },
    })
  }, [queries])
}

/** Reloads what the events are about, once for all events of a burst. */
function gatherer(queries: QueryClient) {
  let gathered: RunEvent[] = []
  return (event: RunEvent) => {
    gathered.push(event)
    if (gathered.length > 1) return
    setTimeout(() => {
      const events = gathered
      gathered = []
      void queries.invalidateQueries({ queryKey: ['execution'] })
      for (const run of new Set(events.map(({ run: id }) => id)))
        void queries.invalidateQueries({ queryKey: ['run', run] })
      for (const report of new Set(events.map(({ report: id }) => id)))
        void queries.invalidateQueries({ queryKey: ['runs', report] })
      if (events.some(({ status }) => beginsOrEnds(status)))
        void queries.invalidateQueries({ queryKey: ['reports'] })
    }, GATHER_MS)
  }
}

const beginsOrEnds = (status: RunEvent['status']) => status !== 'fetching' && status !== 'writing'

const refetch = (queries: QueryClient, kinds: readonly string[]) =>
  queries.invalidateQueries({ predicate: ({ queryKey: [kind] }) => kinds.includes(String(kind)) })
