import { Worker } from 'node:worker_threads'
import type { ReadReportFiles } from '#shared/api/report-files.ts'
import { limits } from '#shared/limits.ts'
import type { ReadFileOf } from '#server/http/effects.ts'
import { refuse } from '#server/http/refusal.ts'
import { unreadable } from './read-report-file.ts'

interface ReaderOptions {
  /** Files that wait, beside the one that is read: of one person, and of all. */
  of_one?: number
  of_all?: number
  /**
   * Processor time, the start of a thread included. For what the bounds of report-text.ts have missed: they
   * keep the worst file below a second.
   */
  most_cpu_ms?: number
  thread?: URL
  stopping: AbortSignal
}

/**
 * One file at a time, in a thread of its own with little memory: whatever a file does to its parser, requests
 * are served meanwhile. A person's further files wait behind those of others.
 */
export function openReportFileReader({
  of_one = 4,
  of_all = 12,
  most_cpu_ms = 5000,
  thread = new URL('./report-file-thread.ts', import.meta.url),
  stopping,
}: ReaderOptions): ReadFileOf {
  const waiting: Job[] = []
  let current: Job | null = null
  let last_person: number | null = null
  let worker: Worker | null = null
  let rest: NodeJS.Timeout | undefined

  function next() {
    clearTimeout(rest)
    const at = Math.max(
      0,
      waiting.findIndex(({ person }) => person !== last_person),
    )
    const [job = null] = waiting.splice(at, 1)
    current = job
    if (job === null) {
      rest = setTimeout(end, REST_MS).unref()
      return
    }
    last_person = job.person
    worker ??= start()
    // It keeps the process alive only while it has a file.
    worker.ref()
    watch(job, worker)
    worker.postMessage(job.text)
  }

  /** By the processor's time: the clock would blame a file for a busy machine. */
  function watch(job: Job, reading: Worker) {
    const before = cpuMsOf(reading)
    job.timer = setInterval(async () => {
      const used_ms = (await cpuMsOf(reading)) - (await before)
      if (current === job && used_ms > most_cpu_ms) giveUp(reading)
    }, WATCH_MS)
  }

  function start(): Worker {
    const started = new Worker(thread, { execArgv: [], env: {}, resourceLimits: LIMITS })
    started.on('message', (read: ReadReportFiles) => finish(read))
    // Out of memory, for one.
    started.on('error', () => giveUp(started))
    return started
  }

  function finish(read: ReadReportFiles) {
    worker?.unref()
    clearInterval(current?.timer)
    current?.resolve(read)
    next()
  }

  function giveUp(failed: Worker) {
    if (failed !== worker) return
    end()
    finish([unreadable('', ['it takes too much time or memory to read'])])
  }

  function end() {
    void worker?.terminate()
    worker = null
  }
  stopping.addEventListener('abort', end, { once: true })

  return (person, text) => {
    if (Buffer.byteLength(text) > limits.report_file_bytes) throw refuse('payload_too_large')
    const own = waiting.filter(job => job.person === person).length
    if (own >= of_one) throw refuse('rate_limited', { retry_after_s: RETRY_AFTER_S })
    if (waiting.length >= of_all) throw refuse('overloaded', { retry_after_s: RETRY_AFTER_S })
    const { promise, resolve } = Promise.withResolvers<ReadReportFiles>()
    waiting.push({ person, text, resolve, timer: undefined })
    if (current === null) next()
    return promise
  }
}

interface Job {
  person: number
  text: string
  resolve: (read: ReadReportFiles) => void
  timer: NodeJS.Timeout | undefined
}

/** 0 of one that has not begun yet, or has ended. */
async function cpuMsOf(worker: Worker): Promise<number> {
  const used = await worker.cpuUsage().catch(() => null)
  return used === null ? 0 : (used.user + used.system) / 1000
}

/** The worst file within the bounds takes 60 MB. */
const LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 }
/** Files come in bursts: the next one need not wait for a thread to start. */
const REST_MS = 30_000
const WATCH_MS = 250
const RETRY_AFTER_S = 2
