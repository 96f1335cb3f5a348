import { Socket } from 'node:net'
import { Client, type ClientBase } from 'pg'

// A connection may fail silently: its cable is cut, or a firewall has dropped it. The operating system would
// report that only after a quarter of an hour.

const LATE_MS = 3000

/** Ends a session that has received nothing for so long; for one that is sent statements regularly. */
export function endWhenSilent(client: ClientBase, silentMs: number): void {
  const stream = streamOf(client)
  stream?.setTimeout(silentMs, () => end(stream))
}

/**
 * Ends a session whose response is late while the server executes nothing for it: the request or the response
 * was lost. `isAtWork` asks the server over another connection; while that fails nothing is known, and the
 * session ends when it has been silent for longer than any statement takes.
 */
export function endWhenUnanswered(
  client: ClientBase,
  { isAtWork, silent_ms }: { isAtWork: () => Promise<boolean>; silent_ms: number },
): void {
  const stream = streamOf(client)
  if (!stream) return
  let received = stream.bytesWritten
  let lastDataAt = performance.now()
  stream.on('data', () => {
    received = stream.bytesWritten
    lastDataAt = performance.now()
  })
  const poll = async () => {
    const [sent, before] = [stream.bytesWritten, stream.bytesRead]
    // It has nothing to respond to: it may be idle.
    if (sent === received) return
    const isLate = performance.now() - lastDataAt > silent_ms
    const isForgotten = isLate || !(await isAtWork().catch(() => true))
    if (stream.destroyed || stream.bytesRead !== before) return
    if (isForgotten && stream.bytesWritten === sent) end(stream)
    else setTimeout(() => void poll(), LATE_MS).unref()
  }
  stream.setTimeout(LATE_MS, () => void poll())
}

function streamOf(client: ClientBase): Socket | null {
  const stream = client instanceof Client ? client.connection.stream : null
  return stream instanceof Socket ? stream : null
}

const end = (stream: Socket) =>
  stream.destroy(Object.assign(new Error('the database has fallen silent'), { code: 'ETIMEDOUT' }))
