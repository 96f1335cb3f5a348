import { Worker } from 'node:worker_threads'
import type { PdfDocument, PrintedDocument } from './document.ts'
import { paymentDocument, type PaymentInput } from './payment-document.ts'
import { quotationDocument, type QuotationInput } from './quotation-document.ts'
import { statementDocument, type StatementInput } from './statement-document.ts'

/** What can be printed, as the database has it. */
export type PdfInput =
  | ({ kind: 'quotation' } & QuotationInput)
  | ({ kind: 'payment' } & PaymentInput)
  | ({ kind: 'statement' } & StatementInput)

export interface PdfRenderer {
  /** Throws what `busy` makes when too many documents wait, and PdfError when this one cannot be printed. */
  render(input: PdfInput): Promise<PrintedDocument>
}

export class PdfError extends Error {
  override name = 'PdfError'
}

interface RendererOptions {
  stopping: AbortSignal
  /** What a document is refused with while as many wait as may. */
  busy: () => Error
  /** Documents that wait, beside the one that is printed. */
  most?: number
  /** Processor time of one document, the start of a thread included. */
  most_cpu_ms?: number
  thread?: URL
}

/**
 * One document at a time, in a thread of its own that starts with the first one and stays, since it has the
 * fonts: requests are served meanwhile. A document that ends the thread fails alone; the next one gets
 * another thread.
 */
export function createPdfRenderer({
  stopping,
  busy,
  most = 32,
  most_cpu_ms = 20_000,
  thread = new URL('./pdf-thread.ts', import.meta.url),
}: RendererOptions): PdfRenderer {
  const waiting: Job[] = []
  let current: Job | null = null
  let worker: Worker | null = null
  let rest: NodeJS.Timeout | undefined

  function next() {
    clearTimeout(rest)
    current = waiting.shift() ?? null
    if (current === null) {
      rest = setTimeout(end, REST_MS).unref()
      return
    }
    worker ??= start()
    // It keeps the process alive only while it has a document.
    worker.ref()
    watch(current, worker)
    worker.postMessage(current.document)
  }

  /** By the processor's time: the clock would blame a document for a busy machine. */
  function watch(job: Job, printing: Worker) {
    const before = cpuMsOf(printing)
    job.timer = setInterval(async () => {
      const usedMs = (await cpuMsOf(printing)) - (await before)
      if (current === job && usedMs > most_cpu_ms) giveUp(printing, 'it takes too long')
    }, WATCH_MS)
  }

  function start(): Worker {
    const started = new Worker(thread, { execArgv: [], env: {}, resourceLimits: LIMITS })
    started.on('message', ({ bytes, ...printed }: PrintedDocument) => {
      // One that was given up may still have answered: its document is not the one that is printed now.
      if (started !== worker) return
      // A Buffer arrives as the plain bytes that it is made of.
      finish(job => job.resolve({ ...printed, bytes: Buffer.from(bytes.buffer) }))
    })
    started.on('error', error => giveUp(started, error instanceof Error ? error.message : String(error)))
    started.on('exit', code => giveUp(started, `its thread ended with ${code}`))
    return started
  }

  function finish(settle: (job: Job) => void) {
    const done = current
    worker?.unref()
    clearInterval(done?.timer)
    if (done) settle(done)
    next()
  }

  function giveUp(failed: Worker, why: string) {
    if (failed !== worker) return
    end()
    if (current !== null) finish(job => job.reject(new PdfError(`the document cannot be printed: ${why}`)))
  }

  function end() {
    void worker?.terminate()
    worker = null
  }

  function stop() {
    const unfinished = [...(current ? [current] : []), ...waiting.splice(0)]
    current = null
    end()
    for (const job of unfinished) {
      clearInterval(job.timer)
      job.reject(new PdfError('the process stops'))
    }
  }
  stopping.addEventListener('abort', stop, { once: true })

  return {
    async render(input) {
      if (stopping.aborted) throw new PdfError('the process stops')
      if (waiting.length >= most) throw busy()
      const { promise, resolve, reject } = Promise.withResolvers<PrintedDocument>()
      waiting.push({ document: documentOf(input), resolve, reject, timer: undefined })
      if (current === null) next()
      return await promise
    },
  }
}

function documentOf(input: PdfInput): PdfDocument {
  if (input.kind === 'quotation') return quotationDocument(input)
  if (input.kind === 'payment') return paymentDocument(input)
  return statementDocument(input)
}

interface Job {
  document: PdfDocument
  resolve: (printed: PrintedDocument) => void
  reject: (error: PdfError) => void
  timer: NodeJS.Timeout | undefined
}

/** 0 of one that has not begun yet, or has ended. */
async function cpuMsOf(worker: Worker): Promise<number> {
  const used = await worker.cpuUsage().catch(() => null)
  return used === null ? 0 : (used.user + used.system) / 1000
}

const LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 }
/** Fonts and thread take 60 MB, and half a second to start. */
const REST_MS = 10 * 60_000
const WATCH_MS = 250
