import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A network between a process and its database that can fail. */
export interface Proxy {
  port: number
  /** Every connection is closed on both sides. */
  cut(): void
  /**
   * Every connection falls silent for good: neither side is notified, nothing comes through. New ones fall
   * silent too until `heal`.
   */
  silence(): void
  heal(): void
  stop(): Promise<void>
}

/** As the keep-alive of a network would. */
const FOUND_OUT_MS = 60_000

export async function startProxy(target: { port: number }): Promise<Proxy> {
  const pairs = new Set<[Socket, Socket]>()
  let isSilent = false
  const server = createServer(client => {
    if (isSilent) {
      silent.add(client)
      client.on('error', () => undefined).on('close', () => silent.delete(client))
      return void client.resume()
    }
    const upstream = connect(target.port, '127.0.0.1')
    const pair: [Socket, Socket] = [client, upstream]
    pairs.add(pair)
    for (const [from, to] of [pair, pair.toReversed()]) {
      from?.on('error', () => undefined)
      from?.on('data', bytes => pairs.has(pair) && to?.write(bytes))
      from?.on('close', () => {
        silent.delete(from)
        if (pairs.delete(pair)) to?.destroy()
        // Not even the end of a silent connection gets through; the other side finds out by itself, much
        // later.
        else setTimeout(() => to?.destroy(), FOUND_OUT_MS).unref()
      })
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const silent = new Set<Socket>()
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('no address')
  return {
    port: address.port,
    cut() {
      for (const pair of pairs) pair.forEach(socket => socket.resetAndDestroy())
    },
    silence() {
      isSilent = true
      for (const socket of [...pairs].flat()) silent.add(socket)
      pairs.clear()
    },
    heal: () => void (isSilent = false),
    async stop() {
      if (!server.listening) return
      server.close()
      for (const socket of [...silent, ...[...pairs].flat()]) socket.destroy()
      await once(server, 'close')
    },
  }
}
