import { createServer, type Socket } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll } from 'vitest'

export interface ReceivedMail {
  to: string[]
  raw: string
}

/** A mail server that records what it is sent; `answer` may refuse a message after reading it. */
export async function mailServer(refuse: () => Error | null = () => null) {
  const received: ReceivedMail[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    onRcptTo({ address }, _session, done) {
      done(
        address.startsWith('unknown')
          ? Object.assign(new Error('no such user'), { responseCode: 550 })
          : null,
      )
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const problem = refuse()
        if (!problem)
          received.push({
            to: session.envelope.rcptTo.map(({ address }) => address),
            raw: Buffer.concat(chunks).toString('latin1'),
          })
        done(problem)
      })
    },
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', () => resolve()))
  afterAll(() => new Promise<void>(resolve => server.close(() => resolve())))
  const address = server.server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { url: `smtp://127.0.0.1:${address.port}`, received }
}

/** No mail server, or a faulty one: handles each connection as it is told. */
export async function oddServer(onConnection: (socket: Socket) => void) {
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    onConnection(socket)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', () => resolve()))
  afterAll(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return `smtp://127.0.0.1:${address.port}`
}
