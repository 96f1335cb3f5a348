import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { DrawnPage, PageRequest } from '#shared/drawn-page.ts'
import type { ApiRead, ApiReply, FromThread, ToThread } from './messages.ts'

export interface PageRenderer {
  /**
   * Whether a page would be drawn now. Else it is about to be possible: nobody waits until the interface is
   * loaded.
   */
  isReady(): boolean
  /** null: the browser draws the page itself. Never throws. */
  draw(page: PageRequest, read: (read: ApiRead) => Promise<ApiReply>): Promise<DrawnPage | null>
}

interface RendererOptions {
  /** The interface as it was built for the server (scripts/build-web.ts). */
  entry: string
  /** So long is a page's data waited for; what comes later is drawn as loading. */
  limit_ms: number
  stopping: AbortSignal
  /** A page could not be drawn, and why: the browser draws it. */
  warn: (problem: string) => void
  /** It ends after so long without a page. */
  rest_ms?: number
  thread?: URL
}

interface Job {
  read: (read: ApiRead) => Promise<ApiReply>
  settle: (drawn: DrawnPage | null) => void
}

/**
 * Draws pages in a thread, so that requests are served meanwhile. It starts with the first page, which its
 * browser draws, and ends after a time without any; when it fails, so do the pages that it was drawing, and
 * the next one has another.
 */
export function createPageRenderer({
  entry,
  limit_ms,
  stopping,
  warn,
  rest_ms = REST_MS,
  thread = new URL('./render-thread.ts', import.meta.url),
}: RendererOptions): PageRenderer {
  const jobs = new Map<number, Job>()
  let worker: Worker | null = null
  let isLoaded = false
  let rest: NodeJS.Timeout | undefined
  let last = 0

  function start(): Worker {
    const started = new Worker(thread, {
      execArgv: [],
      env: { NODE_ENV: 'production' },
      resourceLimits: LIMITS,
      workerData: { entry },
    })
    started.unref()
    started.on('message', (message: FromThread) => {
      if (started !== worker) return
      if (message.kind === 'ready') {
        isLoaded = true
        return restLater()
      }
      if (message.kind === 'read') return void answer(started, message)
      if (message.problem !== undefined) warn(message.problem)
      finish(message.id, message.drawn)
    })
    started.on('error', error => fail(started, error instanceof Error ? error.message : String(error)))
    started.on('exit', () => fail(started, 'the thread that draws pages has ended'))
    return started
  }

  async function answer(drawing: Worker, { id, page, read }: FromThread & { kind: 'read' }) {
    const reply =
      (await jobs
        .get(page)
        ?.read(read)
        .catch(() => null)) ?? null
    drawing.postMessage({ kind: 'read', id, reply } satisfies ToThread)
  }

  function finish(id: number, drawn: DrawnPage | null) {
    jobs.get(id)?.settle(drawn)
    jobs.delete(id)
    if (jobs.size === 0) restLater()
  }

  function restLater() {
    clearTimeout(rest)
    rest = setTimeout(end, rest_ms).unref()
  }

  function fail(failed: Worker, problem: string) {
    if (failed !== worker) return
    const isMissed = jobs.size > 0 || !(isLoaded || stopping.aborted)
    end()
    if (isMissed) warn(problem)
    for (const id of jobs.keys()) finish(id, null)
  }

  function end() {
    const ended = worker
    worker = null
    isLoaded = false
    void ended?.terminate()
  }
  stopping.addEventListener('abort', () => (worker ? fail(worker, 'the process stops') : undefined), {
    once: true,
  })

  async function watch(id: number, drawing: Worker) {
    await sleep(limit_ms, null, { ref: false })
    if (!jobs.has(id)) return
    drawing.postMessage({ kind: 'enough', id } satisfies ToThread)
    await sleep(STUCK_MS, null, { ref: false })
    if (jobs.has(id)) fail(drawing, 'a page takes too long to draw')
  }

  return {
    isReady() {
      if (stopping.aborted) return false
      worker ??= start()
      return isLoaded
    },
    async draw(page, read) {
      if (worker === null || !isLoaded || jobs.size >= MOST_PAGES) return null
      clearTimeout(rest)
      const { promise, resolve } = Promise.withResolvers<DrawnPage | null>()
      const id = (last += 1)
      jobs.set(id, { read, settle: resolve })
      worker.postMessage({ kind: 'draw', id, page } satisfies ToThread)
      void watch(id, worker)
      return await promise
    },
  }
}

/** Any more are drawn by their browsers: they would only wait for each other. */
const MOST_PAGES = 8
const LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 }
const REST_MS = 10 * 60_000
const STUCK_MS = 5000
