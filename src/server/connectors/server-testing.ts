import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { afterEach } from 'vitest'

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

/** A server of a test's own, for answers that the sandbox does not give; where it is. It ends with the test. */
export async function startServer(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  stops.push(
    () => server.closeAllConnections(),
    () => server.close(),
  )
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
}
