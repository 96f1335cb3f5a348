import { once } from 'node:events'
import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { followNetwork } from './network.ts'
import { requestHead } from './request-head.ts'

const network = followNetwork(new AbortController().signal)
const { signal } = new AbortController()

describe('the network of link checks', () => {
  it('takes an address for itself', async () => {
    expect(await network.resolve('127.0.0.1', signal)).toEqual(['127.0.0.1'])
    expect(await network.resolve('::1', signal)).toEqual(['::1'])
  })

  it('knows no address of a name once the time is over', async () => {
    const deadline = new AbortController()
    const resolving = network.resolve('shop.invalid', deadline.signal)
    deadline.abort()
    expect(await resolving).toEqual([])
    expect(await network.resolve('shop.invalid', deadline.signal)).toEqual([])
  })

  it('connects to the addresses that it is given, one after the other', async () => {
    const server = createServer(socket => socket.end()).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    for (const addresses of [['127.0.0.1'], ['::1', '127.0.0.1']]) {
      const socket = network.dial({ addresses, port })
      await once(socket, 'connect')
      expect(socket.remoteAddress).toBe('127.0.0.1')
      socket.destroy()
    }
    server.close()
  })

  it('waits for no host longer than its time', async () => {
    const server = createServer(socket => void socket.resume()).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    const { dial, deadline } = followNetwork(new AbortController().signal, 50)
    const target = { addresses: ['127.0.0.1'], dial, signal: deadline() }
    expect(await requestHead(new URL(`http://shop.demo:${port}/`), target)).toBe('not_reachable')
    server.close()
  })

  it('ends with the process', () => {
    const stopping = new AbortController()
    const deadline = followNetwork(stopping.signal).deadline()
    expect(deadline.aborted).toBe(false)
    stopping.abort()
    expect(deadline.aborted).toBe(true)
  })
})
