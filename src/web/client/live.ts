import { client } from './client.ts'
import { createEventReader, type StreamEvent } from './event-stream.ts'
import { createStore, useStore } from './store.ts'

/** Whether the server pushes events; while it does not, pages poll. */
const live = createStore<boolean>(false)
export const useIsLive = () => useStore(live)

interface Listener {
  /** The stream has begun: something may have happened before. */
  onOpen: () => void
  /** It goes on after a pause; what happened meanwhile has arrived as events. */
  onResume?: () => void
  onEvent: (event: StreamEvent) => void
}

const listeners = new Set<Listener>()
const AGAIN_MS = 2000

let stop = new AbortController()

/** Where the last stream ended; null: the next one begins anew. */
let position: string | null = null

/** The built-in spreadsheet that is open, of which the stream has events as well. */
let spreadsheet: string | null = null

/** Subscribes as listenLive does, and to what reports write to a spreadsheet. */
export function listenToSpreadsheet(id: string, listener: Listener): () => void {
  spreadsheet = id
  // What was written during a pause is not among the events after it.
  const leave = listenLive({ onResume: listener.onOpen, ...listener })
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
    position = null
    knownEnds.clear()
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
        headers: { accept: 'text/event-stream', ...(position !== null && { 'last-event-id': position }) },
        signal,
      })
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
    for (const received of reader.feed(decoder.decode(piece.value, { stream: true }))) {
      position = received.position ?? position
      if (received.message !== null) deliver(received.message)
    }
  }
}

function deliver(message: StreamEvent) {
  if (message.event === 'open') {
    live.set(true)
    const { caught_up }: { caught_up: boolean } = JSON.parse(message.data)
    for (const listener of listeners) (caught_up ? listener.onResume : listener.onOpen)?.()
  } else if (isNew(message)) for (const listener of listeners) listener.onEvent(message)
}

/** The ends of runs that have arrived: a stream that goes on repeats the last seconds before the pause. */
const knownEnds = new Set<string>()
const MOST_KNOWN = 500

/** A run ends once; anything else may happen again. */
function isNew({ event, data }: StreamEvent): boolean {
  if (event !== 'run') return true
  if (knownEnds.has(data)) return false
  if (knownEnds.size >= MOST_KNOWN) knownEnds.clear()
  if (/"status":"(completed|error|cancelled)"/.test(data)) knownEnds.add(data)
  return true
}
