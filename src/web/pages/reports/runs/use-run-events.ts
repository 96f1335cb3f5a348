import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { RunEvent } from '#shared/api/executions.ts'
import { client } from '#web/app/client.ts'
import { createStore, useStore } from '#web/app/store.ts'
import { createEventReader } from './event-stream.ts'

/** Whether the server tells of runs by itself; while it does not, whoever waits asks again and again. */
const live = createStore<boolean>(false)
export const useIsLive = () => useStore(live)

const AGAIN_MS = 2000
/** Runs move in bursts: what they say is gathered for so long before anything is asked for again. */
const GATHER_MS = 250

/** Keeps what is shown of runs up to date while a page is open. */
export function useRunEvents() {
  const queries = useQueryClient()
  useEffect(() => {
    let stop = new AbortController()
    // Only while it is looked at: a browser opens few connections to one server, and a stream holds one for as long as it lasts.
    const begin = () => {
      stop.abort()
      stop = new AbortController()
      live.set(false)
      if (!document.hidden) void follow(queries, stop.signal)
    }
    begin()
    document.addEventListener('visibilitychange', begin)
    return () => {
      document.removeEventListener('visibilitychange', begin)
      stop.abort()
      live.set(false)
    }
  }, [queries])
}

/** The stream ends with the access token, or when the connection does; then it is opened again. */
async function follow(queries: QueryClient, signal: AbortSignal) {
  const tell = gatherer(queries)
  while (!signal.aborted) {
    try {
      const { body } = await client.raw('GET', '/api/events/', {
        headers: { accept: 'text/event-stream' },
        signal,
      })
      live.set(true)
      // What moved before the stream was open.
      void refetchRuns(queries)
      if (body) await readAll(body, tell)
    } catch {
      // Asked again below; meanwhile the pages poll.
    }
    if (signal.aborted) return
    live.set(false)
    await new Promise(resolve => {
      setTimeout(resolve, AGAIN_MS)
    })
  }
}

async function readAll(body: ReadableStream<Uint8Array>, tell: (event: RunEvent) => void) {
  const reader = createEventReader()
  const decoder = new TextDecoder()
  const stream = body.getReader()
  for (let piece = await stream.read(); !piece.done; piece = await stream.read()) {
    for (const { event, data } of reader.feed(decoder.decode(piece.value, { stream: true })))
      if (event === 'run') tell(JSON.parse(data))
  }
}

/** Asks again for what the events are about, once for all of a burst. */
function gatherer(queries: QueryClient) {
  let gathered: RunEvent[] = []
  return (event: RunEvent) => {
    gathered.push(event)
    if (gathered.length > 1) return
    setTimeout(() => {
      const events = gathered
      gathered = []
      void queries.invalidateQueries({ queryKey: ['execution'] })
      for (const run of new Set(events.map(each => each.run)))
        void queries.invalidateQueries({ queryKey: ['run', run] })
      for (const report of new Set(events.map(each => each.report)))
        void queries.invalidateQueries({ queryKey: ['runs', report] })
      if (events.some(each => beginsOrEnds(each.status)))
        void queries.invalidateQueries({ queryKey: ['reports'] })
    }, GATHER_MS)
  }
}

const beginsOrEnds = (status: RunEvent['status']) => status !== 'fetching' && status !== 'writing'

const refetchRuns = (queries: QueryClient) =>
  queries.invalidateQueries({
    predicate: ({ queryKey: [kind] }) => ['execution', 'run', 'runs', 'reports'].includes(String(kind)),
  })
