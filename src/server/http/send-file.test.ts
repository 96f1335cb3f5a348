import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { MissingFile, StorageFailure, wholeRange, type FileStore } from '#server/files/store.ts'
import { DATA_POLICY } from './headers.ts'
import { createRequestLimits, queueLimits } from './request-limits.ts'
import { route } from './route.ts'
import { sendFile } from './send-file.ts'
import { expectRefusal, testApi } from './testing/api.ts'

const contents = {
  banner: randomBytes(1000),
  /** More than the buffers of a connection hold. */
  large: randomBytes(32 * 1024 * 1024),
  /** The storage has half of what its row says. */
  short: randomBytes(500),
  lost: randomBytes(1),
  away: randomBytes(1),
}
type Name = keyof typeof contents
const names = Object.keys(contents) as [Name, ...Name[]]
const hashes = Object.fromEntries(
  names.map(name => [name, createHash('sha256').update(contents[name]).digest('hex')]),
)

/** The streams that were opened. */
const opened: Readable[] = []
const store: Pick<FileStore, 'read'> = {
  async read(sha256, range) {
    const name = names.find(one => hashes[one] === sha256) ?? 'lost'
    if (name === 'lost') throw new MissingFile('lost')
    if (name === 'away')
      throw new StorageFailure('no', { cause: Object.assign(new Error(), { code: 'ENOENT' }) })
    const bytes = contents[name].subarray(range.start, range.end + 1)
    async function* pieces() {
      for (let from = 0; from < bytes.length; from += 65_536) yield bytes.subarray(from, from + 65_536)
    }
    const stream = wholeRange(Readable.from(pieces()), range)
    opened.push(stream)
    return stream
  },
}

const serve = route('GET', '/api/test/served/:name/', {
  summary: 'Serves a file.',
  level: 'public',
  transaction: 'own',
  params: z.object({ name: z.enum(names) }),
  query: z.strictObject({ pace_ms: z.coerce.number().optional() }),
  async run({ params: { name }, query: { pace_ms }, now, reply, slot, effects }) {
    const file = {
      sha256: hashes[name] ?? '',
      size: name === 'short' ? 1000 : contents[name].length,
      mime: 'image/png',
      name: '橫幅.png',
      disposition: 'inline',
    } as const
    const expires = new Date(now.getTime() + 700_900)
    const { requestLimits } = effects
    const served = {
      store: { ...effects.files.store, ...store },
      reply,
      slot,
      requestLimits,
      now,
      expires,
    }
    await sendFile(file, pace_ms === undefined ? served : { ...served, pace_ms })
  },
})
const narrow = { of_one: 1, of_all: 2, waiting: 1, waiting_of_all: 1, wait_ms: 10_000, retry_after_s: 5 }
const { origin } = await testApi({
  routes: [serve],
  most_at_once: 1,
  trust_proxy: 1,
  effects: {
    requestLimits: createRequestLimits({
      queues: { ...queueLimits, download: narrow },
      writes: { per_minute: 1e6, burst: 1e6 },
    }),
  },
})
const etag = `"${hashes['banner']}"`

const get = (headers: Record<string, string> = {}, path: string = 'banner') =>
  fetch(`${origin}/api/test/served/${path}/`, { headers })
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())

describe('a served file', () => {
  it('comes whole, with all that keeps it from doing anything', async () => {
    const response = await get()
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      etag,
      'accept-ranges': 'bytes',
      'cache-control': 'private, max-age=700, immutable',
      'content-type': 'image/png',
      'content-length': '1000',
      'content-disposition': `inline; filename="__.png"; filename*=UTF-8''%E6%A9%AB%E5%B9%85.png`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': DATA_POLICY,
      'cross-origin-resource-policy': 'same-origin',
    })
    expect(DATA_POLICY).toMatch(/; sandbox$/)
    expect(await bytesOf(response)).toEqual(contents.banner)
  })

  it.each([
    ['bytes=0-99', 0, 99],
    ['bytes=0-0', 0, 0],
    ['bytes=999-', 999, 999],
    ['bytes=900-5000', 900, 999],
    ['bytes=-100', 900, 999],
    ['bytes=-5000', 0, 999],
    ['Bytes= 5-9', 5, 9],
    [`bytes=1-${'9'.repeat(30)}`, 1, 999],
  ])('comes in part: %s', async (range, start, end) => {
    const response = await get({ range })
    expect(response.status).toBe(206)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-range': `bytes ${start}-${end}/1000`,
      'content-length': String(end - start + 1),
      etag,
    })
    expect(await bytesOf(response)).toEqual(contents.banner.subarray(start, end + 1))
  })

  it.each(['bytes=1000-', 'bytes=1000-1000', 'bytes=-0', `bytes=${'9'.repeat(30)}-`])(
    'has nothing beyond its end: %s',
    async range => {
      const response = await get({ range })
      expect(response.headers.get('content-range')).toBe('bytes */1000')
      const { status, headers } = response
      expectRefusal({ status, headers, body: await response.json() }, 416, 'range_not_satisfiable')
      expect(headers.get('etag')).toBeNull()
    },
  )

  it.each(['bytes=0-1,5-9', 'bytes=9-5', 'lines=0-1', 'bytes=', 'bytes=-', 'bytes=a-b', 'bytes=1-2x'])(
    'comes whole for %s',
    async range => {
      const response = await get({ range })
      expect([response.status, (await bytesOf(response)).length]).toEqual([200, 1000])
    },
  )

  it('comes whole where a part of another content is wanted', async () => {
    const range = 'bytes=0-99'
    const statuses = [etag, '"other"', `W/${etag}`, 'Mon, 02 Nov 2026 09:00:00 GMT'].map(
      async tag => (await get({ range, 'if-range': tag })).status,
    )
    expect(await Promise.all(statuses)).toEqual([206, 200, 200, 200])
  })

  it.each([etag, `W/${etag}`, `"other", ${etag}`, '*'])('is not sent again for %s', async tag => {
    opened.length = 0
    const response = await get({ 'if-none-match': tag, range: 'bytes=5000-' })
    expect([response.status, await response.text(), opened]).toEqual([304, '', []])
    expect(Object.fromEntries(response.headers)).toMatchObject({
      etag,
      'cache-control': 'private, max-age=700, immutable',
    })
  })

  it('is sent again where the client has another content', async () => {
    expect((await get({ 'if-none-match': '"other"' })).status).toBe(200)
  })

  it('is refused while the storage is away, and where it is lost', async () => {
    for (const [path, status, code] of [
      ['away', 503, 'storage_unavailable'],
      ['lost', 410, 'file_lost'],
    ] as const) {
      const response = await get({}, path)
      const { headers } = response
      expectRefusal({ status: response.status, headers, body: await response.json() }, status, code)
      expect([headers.get('etag'), headers.get('cache-control')]).toEqual([null, 'no-store'])
    }
  })

  it('breaks off where the storage has less of it than its row says', async () => {
    await expect(get({}, 'short').then(bytesOf)).rejects.toThrow(/terminated|failed/)
    expect((await get()).status).toBe(200)
  })
})

describe('a slow client', () => {
  const begin = (path: string, address = '198.51.100.1') => {
    const socket = connect(Number(new URL(origin).port), '127.0.0.1')
    const head = `host: localhost\r\nx-forwarded-for: ${address}\r\n\r\n`
    socket.write(`GET /api/test/served/${path} HTTP/1.1\r\n${head}`)
    return socket
  }

  it('holds no slot, and frees the stream when it disconnects', async () => {
    opened.length = 0
    const socket = begin('large/')
    await once(socket, 'readable')
    expect((await get()).status).toBe(200)
    const [stream] = opened
    expect(stream?.destroyed).toBe(false)
    socket.destroy()
    await expect.poll(() => stream?.destroyed).toBe(true)
    expect((await get()).status).toBe(200)
  })

  it('shares its downloads with its address, and all of them are few', async () => {
    const from = (address: string) => get({ 'x-forwarded-for': address })
    const sockets = [begin('large/', '2001:db8::1'), begin('large/', '198.51.100.2')]
    await Promise.all(sockets.map(socket => once(socket, 'readable')))
    const waiting = from('2001:db8::2')
    await expect.poll(async () => (await from('2001:db8::3')).status, { timeout: 5000 }).toBe(429)
    const refused = await from('198.51.100.3')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
    for (const socket of sockets) socket.destroy()
    expect((await waiting).status).toBe(200)
    await expect.poll(async () => (await from('198.51.100.3')).status).toBe(200)
  })

  it('is disconnected when it reads nothing', async () => {
    opened.length = 0
    const socket = begin('large/?pace_ms=50')
    await once(socket, 'readable')
    await expect.poll(() => opened[0]?.destroyed).toBe(true)
    socket.destroy()
  })

  it('that reads on goes on after its file has ended', async () => {
    const socket = begin('banner/?pace_ms=50')
    const [head] = await once(socket, 'data')
    expect(String(head)).toContain('200 OK')
    socket.resume()
    socket.write('GET /healthz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n')
    await once(socket, 'close')
  })
})
