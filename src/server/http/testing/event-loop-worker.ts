import { parentPort } from 'node:worker_threads'
import { z } from 'zod'

// The client of event-loop.test.ts: in a thread of its own, so that its work is not measured as the server's.

const Ask = z.object({
  url: z.string(),
  method: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.instanceof(Uint8Array<ArrayBuffer>),
})

parentPort?.on('message', async message => {
  const { url, ...init } = Ask.parse(message)
  const response = await fetch(url, init)
  await response.arrayBuffer()
  parentPort?.postMessage(response.status)
})
