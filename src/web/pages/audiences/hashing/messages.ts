import type { Hashing } from './hashing.ts'

// How a page calls what runs in the worker.

type Name = keyof Hashing
/** `args` without what cannot be sent: the function that hears of progress. */
export interface Call {
  id: number
  name: Name
  args: unknown[]
}
export type Reply =
  | { id: number; progress: number }
  | { id: number; result: unknown }
  // Without what was thrown: its text might contain a value of the file.
  | { id: number; failure: HashingFailure }

/** `not_text`: a workbook, or what Excel calls Unicode text. */
export type HashingFailure = 'unreadable' | 'not_text' | 'failed'

/** Hashing did not end well. */
export class HashingProblem extends Error {
  override name = 'HashingProblem'
  readonly failure: HashingFailure

  constructor(failure: HashingFailure) {
    super(failure)
    this.failure = failure
  }
}

/** One end of the line between page and worker. */
export interface Port {
  postMessage: (message: unknown, options: { transfer: Transferable[] }) => void
  addEventListener: (type: 'message', listener: (event: MessageEvent) => void) => void
}

export type Hasher = Hashing & { close: () => void }

/** In the page: the same functions, done at the other end. */
export function callThrough(port: Port, close: () => void): Hasher {
  const pending = new Map<number, Pending>()
  let calls = 0
  port.addEventListener('message', ({ data }: MessageEvent<Reply>) => {
    const call = pending.get(data.id)
    if ('progress' in data) return call?.onProgress?.(data.progress)
    pending.delete(data.id)
    if ('failure' in data) call?.reject(new HashingProblem(data.failure))
    else call?.resolve(data.result)
  })
  const call = <Result>(name: Name, args: unknown[], onProgress?: Pending['onProgress']) =>
    new Promise<Result>((resolve, reject) => {
      const id = calls++
      pending.set(id, { resolve: resolve as (result: unknown) => void, reject, onProgress })
      port.postMessage({ id, name, args } satisfies Call, { transfer: [] })
    })
  return {
    open: (file, format) => call('open', [file, format]),
    count: (reading, onProgress) => call('count', [reading], onProgress),
    start: (reading, envelope, from) => call('start', [reading, envelope, from]),
    next: () => call('next', []),
    lines: (reading, form) => call('lines', [reading, form]),
    rejects: (reading, words) => call('rejects', [reading, words]),
    identify: (text, country) => call('identify', [text, country]),
    close,
  }
}

interface Pending {
  resolve: (result: unknown) => void
  reject: (problem: HashingProblem) => void
  onProgress: ((rows: number) => void) | undefined
}
