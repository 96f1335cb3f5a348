import type { File as StoredFile, Image } from '#shared/api/materials.ts'
import { asProblem, type Problem } from '#web/client/problem.ts'
import { createStore } from '#web/client/store.ts'
import type { OnProgress } from '#web/client/upload.ts'
import type { MaterialKind } from '#web/pages/materials/paths.ts'

/** What everything in one upload gets. */
export interface Envelope {
  kind: MaterialKind
  /** null: the agency's own. */
  advertiser: number | null
  tags: readonly string[]
}

/** The row that an upload has become, or that was there already. */
export type Uploaded = Pick<Image | StoredFile, 'id' | 'name' | 'duplicate'>

export type UploadState =
  | { status: 'queued' }
  /** 1: all of it is sent, and the server is working on it. */
  | { status: 'sending'; share: number }
  /** The server cannot be reached, or has said to wait; it goes on by itself. */
  | { status: 'waiting' }
  | { status: 'done'; row: Uploaded }
  | { status: 'failed'; problem: Problem }

export interface Upload {
  id: number
  /** Whose it is: somebody else may sign in while it is under way. */
  user: number
  file: File
  envelope: Envelope
  state: UploadState
}

export interface QueueEffects {
  send: (upload: Upload, options: { signal: AbortSignal; onProgress: OnProgress }) => Promise<Uploaded>
  /** Ends when the server can be reached again, or after so many milliseconds. */
  recovery: (problem: Problem) => Promise<void>
}

export interface NewUploads {
  files: readonly File[]
  envelope: Envelope
  user: number
  onDone: () => void
}

export const MOST_AT_ONCE = 3
/** So often an upload is sent again by itself. */
const MOST_AGAIN = 4

/**
 * Uploads that go on whatever page is open, for as long as the tab is: a few at a time, each for itself, so
 * that one that is refused holds up no other.
 */
export function createUploadQueue({ send, recovery }: QueueEffects) {
  const uploads = createStore<readonly Upload[]>([])
  const running = new Map<number, AbortController>()
  const whenDone = new Map<number, () => void>()
  let last = 0

  const change = (id: number, state: UploadState) =>
    uploads.set(all => all.map(upload => (upload.id === id ? { ...upload, state } : upload)))

  function add({ files, envelope, user, onDone }: NewUploads) {
    const added = files.map((file): Upload => {
      last += 1
      whenDone.set(last, onDone)
      return { id: last, user, file, envelope, state: { status: 'queued' } }
    })
    uploads.set(all => [...all, ...added])
    proceed()
  }

  /** Begins the next ones. */
  function proceed() {
    for (const upload of uploads.get()) {
      if (running.size >= MOST_AT_ONCE) return
      if (upload.state.status === 'queued') void run(upload)
    }
  }

  async function run(upload: Upload) {
    const stop = new AbortController()
    running.set(upload.id, stop)
    try {
      const row = await sendPatiently(upload, stop.signal)
      if (stop.signal.aborted) return
      change(upload.id, { status: 'done', row })
      whenDone.get(upload.id)?.()
    } catch (error) {
      if (!stop.signal.aborted) change(upload.id, { status: 'failed', problem: asProblem(error) })
    } finally {
      // One that was cancelled has made room already, and may have been added anew.
      if (running.get(upload.id) === stop) running.delete(upload.id)
      proceed()
    }
  }

  async function sendPatiently(upload: Upload, signal: AbortSignal): Promise<Uploaded> {
    for (let again = 0; ; again++) {
      change(upload.id, { status: 'sending', share: 0 })
      try {
        return await send(upload, { signal, onProgress: share => noteShare(upload.id, share, signal) })
      } catch (error) {
        const problem = asProblem(error)
        if (signal.aborted || again >= MOST_AGAIN || !passes(problem)) throw problem
        change(upload.id, { status: 'waiting' })
        await recovery(problem)
        if (signal.aborted) throw problem
      }
    }
  }

  /** In whole per cent: a browser reports twenty times a second. */
  function noteShare(id: number, share: number, signal: AbortSignal) {
    const rounded = Math.floor(share * 100) / 100
    const before = uploads.get().find(upload => upload.id === id)?.state
    if (signal.aborted || before?.status !== 'sending' || before.share === rounded) return
    change(id, { status: 'sending', share: rounded })
  }

  /** Stops an upload, or forgets one that is over. */
  function remove(...ids: readonly number[]) {
    uploads.set(all => all.filter(({ id }) => !ids.includes(id)))
    for (const id of ids) {
      running.get(id)?.abort()
      running.delete(id)
      whenDone.delete(id)
    }
    proceed()
  }

  /** Sends those anew that have failed. */
  function retry(...ids: readonly number[]) {
    for (const { id, state } of uploads.get())
      if (ids.includes(id) && state.status === 'failed') change(id, { status: 'queued' })
    proceed()
  }

  /** Stops and forgets all. */
  const clear = () => remove(...uploads.get().map(({ id }) => id))

  return { uploads, add, remove, retry, clear }
}

/** A refusal that says nothing about the file itself. */
const passes = ({ code, retry_after_ms }: Problem) =>
  code === 'unreachable' ||
  code === 'overloaded' ||
  (code === 'rate_limited' && (retry_after_ms ?? 0) <= LONGEST_WAIT_MS)

/** Beyond this the person decides when to go on. */
export const LONGEST_WAIT_MS = 60_000

export const isUnderWay = ({ state }: Upload) => state.status !== 'done' && state.status !== 'failed'
