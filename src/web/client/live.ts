import { client } from './client.ts'
import { createEventReader, type StreamEvent } from './event-stream.ts'
import { createStore, useStore } from './store.ts'

/** Whether the server pushes events; while it does not, pages poll. */
const live = createStore<boolean>(false)
export const useIsLive = () => useStore(live)

interface Listener {
  /** The stream has begun, again perhaps: something may have happened before. */
  onOpen: () => void
  onEvent: (event: StreamEvent) => void
}

const listeners = new Set<Listener>()
const AGAIN_MS = 2000

let stop = new AbortController()

/** The built-in spreadsheet that is open, of which the stream has events as well. */
let spreadsheet: string | null = null

/** Subscribes as listenLive does, and to what reports write to a spreadsheet. */
export function listenToSpreadsheet(id: string, listener: Listener): () => void {
  spreadsheet = id
  const leave = listenLive(listener)
  // The stream of others does not have these events yet.
  if (listeners.size > 1) begin()
  return () => {
    if (spreadsheet === id) spreadsheet = null
    leave()
  }
}

/**
 * Subscribes to the server's events while the page is visible; one stream for all subscribers. Returns a
 * function that unsubscribes.
 */
export function listenLive(listener: Listener): () => void {
  listeners.add(listener)
  if (listeners.size === 1) {
    begin()
    document.addEventListener('visibilitychange', begin)
  } else if (live.get()) listener.onOpen()
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    document.removeEventListener('visibilitychange', begin)
    stop.abort()
    live.set(false)
  }
}

/**
 * Only while the page is visible: a browser opens few connections to one server, and a stream holds one for
 * as long as it lasts.
 */
function begin() {
  stop.abort()
  stop = new AbortController()
  live.set(false)
  if (!document.hidden) void follow(stop.signal)
}

/** The stream ends with the access token, or when the connection does; then it is opened again. */
async function follow(signal: AbortSignal) {
  while (!signal.aborted) {
    try {
      const { body } = await client.raw('GET', '/api/events/', {
        ...(spreadsheet !== null && { query: { spreadsheet } }),
        headers: { accept: 'text/event-stream' },
        signal,
      })
      live.set(true)
      for (const listener of listeners) listener.onOpen()
      if (body) await readAll(body)
    } catch {
      // Opened again below; meanwhile the pages poll.
    }
    if (signal.aborted) return
    live.set(false)
    await new Promise(resolve => {
      setTimeout(resolve, AGAIN_MS)
    })
  }
}

async function readAll(body: ReadableStream<Uint8Array>) {
  const reader = createEventReader()
  const decoder = new TextDecoder()
  const stream = body.getReader()
  for (let piece = await stream.read(); !piece.done; piece = await stream.read()) {
    for (const event of reader.feed(decoder.decode(piece.value, { stream: true })))
      for (const listener of listeners) listener.onEvent(event)
  }
}
