import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A network between a process and its database that can fail. */
export interface Proxy {
  port: number
  /** Every connection breaks, with a word to both sides. */
  cut(): void
  /** Every connection falls silent for good: nobody is told, nothing comes through. New ones fall silent too until `mend`. */
  silence(): void
  mend(): void
  stop(): Promise<void>
}

export async function startProxy(target: { port: number }): Promise<Proxy> {
  const pairs = new Set<[Socket, Socket]>()
  let is_silent = false
  const server = createServer(client => {
    if (is_silent) return void silent.push(client.on('error', () => undefined))
    const upstream = connect(target.port, '127.0.0.1')
    const pair: [Socket, Socket] = [client, upstream]
    pairs.add(pair)
    for (const [from, to] of [pair, pair.toReversed()]) {
      from?.on('error', () => undefined)
      from?.on('data', bytes => pairs.has(pair) && to?.write(bytes))
      // Of a silent connection not even the end gets through.
      from?.on('close', () => pairs.delete(pair) && to?.destroy())
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const silent: Socket[] = []
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('no address')
  return {
    port: address.port,
    cut() {
      for (const pair of pairs) pair.forEach(socket => socket.resetAndDestroy())
    },
    silence() {
      is_silent = true
      for (const pair of pairs) silent.push(...pair)
      pairs.clear()
    },
    mend: () => void (is_silent = false),
    async stop() {
      server.close()
      for (const socket of [...silent, ...[...pairs].flat()]) socket.destroy()
      await once(server, 'close')
    },
  }
}
