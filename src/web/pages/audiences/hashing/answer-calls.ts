import type { Hashing } from './hashing.ts'
import { HashingProblem, type Call, type Port, type Reply } from './messages.ts'

/** In the worker: does what the other end asks for. */
export function answerCalls(port: Port, hashing: Hashing) {
  const answer = async ({ id, name, args }: Call) => {
    const onProgress = (progress: number) =>
      port.postMessage({ id, progress } satisfies Reply, { transfer: [] })
    try {
      const result: unknown = await Reflect.apply(hashing[name], null, [...args, onProgress])
      port.postMessage({ id, result } satisfies Reply, { transfer: transferOf(result) })
    } catch (error) {
      const failure = error instanceof HashingProblem ? error.failure : 'failed'
      port.postMessage({ id, failure } satisfies Reply, { transfer: [] })
    }
  }
  port.addEventListener('message', ({ data }: MessageEvent<Call>) => void answer(data))
}

/** A batch is handed over, not copied. */
function transferOf(result: unknown): Transferable[] {
  const body: unknown = Object(result).body
  return body instanceof ArrayBuffer ? [body] : []
}
