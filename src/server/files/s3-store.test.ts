import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { isDatabaseAway } from '#server/db/problem.ts'
import { s3Store, type S3Settings } from './s3-store.ts'
import { StorageFailure } from './store.ts'
import { openTemporary } from './temporary.ts'
import { describeStore } from './testing/describe-store.ts'
import { sha256Of, temporaryFile } from './testing/materials.ts'
import { s3Server } from './testing/s3-server.ts'

const lenient = await s3Server('lenient')
const strict = await s3Server('strict')
const folder = mkdtempSync(join(tmpdir(), 's3-store-'))
const temporary = openTemporary(folder)

/** A server that answers as a test says. */
let answer: (request: IncomingMessage, response: ServerResponse) => void
const requests: IncomingMessage[] = []
const odd = createServer((request, response) => {
  requests.push(request)
  answer(request, response)
}).listen(0, '127.0.0.1')
await once(odd, 'listening')
const oddSettings: S3Settings = {
  ...lenient,
  endpoint: `http://127.0.0.1:${(odd.address() as AddressInfo).port}`,
}
beforeEach(() => void (requests.length = 0))
afterAll(() => {
  odd.closeAllConnections()
  odd.close()
  rmSync(folder, { recursive: true })
})

// Pages of seven, so that twenty files are several of them.
describeStore('a store in storage that speaks S3', {
  openStore: () => s3Store(lenient, { listed_at_once: 7 }),
})

const failureOf = async (work: Promise<unknown>) =>
  await work.then(() => null).catch((error: unknown) => error)

describe('a store in S3', () => {
  it('signs what is stored with the hash of its content', async () => {
    const store = s3Store(strict)
    const file = await temporaryFile(temporary)
    await store.put(file.path, file)
    expect(await buffer(await store.read(file.sha256, { start: 0, end: 999 }))).toEqual(file.bytes)
    await store.remove(file.sha256)
    expect(await store.find(file.sha256)).toBeNull()

    answer = (request, response) => {
      request.resume().once('end', () => response.writeHead(request.method === 'HEAD' ? 404 : 200).end())
    }
    const another = await temporaryFile(temporary)
    await s3Store(oddSettings).put(another.path, another)
    expect(requests.at(-1)?.headers).toMatchObject({
      'content-length': '1000',
      'x-amz-content-sha256': another.sha256,
      'x-amz-checksum-sha256': Buffer.from(another.sha256, 'hex').toString('base64'),
      authorization: expect.stringContaining('x-amz-content-sha256'),
    })
  })

  it('shares a bucket with others, each below its prefix', async () => {
    const [ours, top] = [s3Store({ ...lenient, prefix: 'ours/a/' }), s3Store({ ...lenient, prefix: '' })]
    const files = [await temporaryFile(temporary), await temporaryFile(temporary)]
    for (const [index, store] of [ours, top].entries()) {
      const file = files[index]
      if (file) await store.put(file.path, file)
    }
    const listed = async (store: typeof ours) => (await Array.fromAsync(store.list())).flat()
    expect([await listed(ours), await listed(top)]).toEqual(files.map(({ sha256 }) => [sha256]))
    for (const { sha256 } of files) for (const store of [ours, top]) await store.remove(sha256)
  })

  it.each([
    ['another access key', { ...strict, access_key: 'NOBODY' }, 'InvalidAccessKeyId'],
    ['another secret key', { ...strict, secret_key: 'wrong' }, 'SignatureDoesNotMatch'],
    ['a bucket that is not there', { ...strict, bucket: 'nothing' }, 'NoSuchBucket'],
  ])('that has %s says so', async (_, settings, words) => {
    const file = await temporaryFile(temporary)
    await expect(s3Store(settings).check()).rejects.toThrow(
      new RegExp(`^files cannot be stored in the bucket ${settings.bucket}: ${words}`),
    )
    expect(await failureOf(s3Store(settings).put(file.path, file))).toBeInstanceOf(StorageFailure)
    expect(JSON.stringify(await failureOf(s3Store(settings).check()))).not.toContain(settings.secret_key)
  })

  it('that is away is a failure of the storage, never of the database', async () => {
    const gone = createServer().listen(0, '127.0.0.1')
    await once(gone, 'listening')
    const { port } = gone.address() as AddressInfo
    gone.close()
    const store = s3Store({ ...lenient, endpoint: `http://127.0.0.1:${port}` }, { attempts: 1 })
    const file = await temporaryFile(temporary)
    const works = [
      store.check(),
      store.put(file.path, file),
      store.find(file.sha256),
      store.read(file.sha256, { start: 0, end: 0 }),
      store.remove(file.sha256),
      Array.fromAsync(store.list()),
    ]
    for (const failure of await Promise.all(works.map(failureOf))) {
      expect(failure).toBeInstanceOf(StorageFailure)
      expect(isDatabaseAway(failure)).toBe(false)
      expect(String(failure)).toContain('ECONNREFUSED')
    }
  })

  it('that does not answer is given up', async () => {
    answer = () => undefined
    const store = s3Store(oddSettings, { silent_ms: 50, remove_ms: 50, attempts: 1 })
    const file = await temporaryFile(temporary)
    const works = [store.find(file.sha256), store.remove(file.sha256), store.put(file.path, file)]
    for (const failure of await Promise.all(works.map(failureOf)))
      expect(failure).toBeInstanceOf(StorageFailure)
  })

  it('fails a reader whose answer is cut or stops in the middle', async () => {
    const store = s3Store(oddSettings, { silent_ms: 50, attempts: 1 })
    const sha256 = sha256Of(randomBytes(8))
    for (const isCut of [true, false]) {
      answer = (_, response) => {
        response.writeHead(206, { 'content-length': '1000' }).write(Buffer.alloc(400))
        if (isCut) setImmediate(() => response.destroy())
      }
      const stream = await store.read(sha256, { start: 0, end: 999 })
      const failure = await failureOf(buffer(stream))
      expect(failure).toBeInstanceOf(StorageFailure)
      expect(isDatabaseAway(failure)).toBe(false)
    }
    answer = (_, response) => response.writeHead(206).end(Buffer.alloc(400))
    await expect(buffer(await store.read(sha256, { start: 0, end: 999 }))).rejects.toThrow('400 bytes')
  })

  it('ends its connection when the reader goes away', async () => {
    const ended = Promise.withResolvers<void>()
    answer = (request, response) => {
      request.socket.once('close', () => ended.resolve())
      response.writeHead(206, { 'content-length': '1000' }).write(Buffer.alloc(400))
    }
    const stream = await s3Store(oddSettings).read(sha256Of(randomBytes(8)), { start: 0, end: 999 })
    stream.destroy()
    await expect(ended.promise).resolves.toBeUndefined()
  })

  it('stores a file in the third attempt, all of it, and gives up after that', async () => {
    const bodies: Buffer[] = []
    let failing = 2
    answer = async (request, response) => {
      if (request.method === 'HEAD') return void response.writeHead(404).end()
      bodies.push(await buffer(request))
      failing -= 1
      if (failing === 1) request.socket.destroy()
      else response.writeHead(failing >= 0 ? 503 : 200).end()
    }
    const store = s3Store(oddSettings)
    const file = await temporaryFile(temporary)
    await store.put(file.path, file)
    expect(bodies).toEqual([file.bytes, file.bytes, file.bytes])

    failing = 10
    bodies.length = 0
    const another = await temporaryFile(temporary)
    await expect(store.put(another.path, another)).rejects.toThrow(StorageFailure)
    expect(bodies).toHaveLength(3)
  })

  it('is sent what it has, too', async () => {
    answer = (request, response) => void request.resume().once('end', () => response.end())
    const file = await temporaryFile(temporary)
    await s3Store(oddSettings).put(file.path, file)
    expect(requests.map(({ method }) => method)).toEqual(['PUT'])
  })

  it('does not repeat what is refused', async () => {
    answer = (request, response) => {
      request.resume().once('end', () => response.writeHead(request.method === 'HEAD' ? 404 : 403).end())
    }
    const file = await temporaryFile(temporary)
    await expect(s3Store(oddSettings).put(file.path, file)).rejects.toThrow(StorageFailure)
    expect(requests.map(({ method }) => method)).toEqual(['PUT'])
  })

  it('is not swept where it lists files in another order', async () => {
    const keys = ['b', 'a'].map(letter => `sheetcast/${letter.repeat(2)}/${letter.repeat(64)}`)
    answer = (_, response) => {
      const contents = keys.map(key => `<Contents><Key>${key}</Key><Size>1</Size></Contents>`).join('')
      response.end(`<ListBucketResult><IsTruncated>false</IsTruncated>${contents}</ListBucketResult>`)
    }
    await expect(Array.fromAsync(s3Store(oddSettings).list())).rejects.toThrow('in the order of their names')
  })

  it('loads its library with the first call, and never without one', async () => {
    const program = join(import.meta.dirname, 'testing/loaded-program.ts')
    const { stdout } = await promisify(execFile)(process.execPath, [program])
    expect(JSON.parse(stdout)).toEqual({ with_product: 0, with_call: true })
  })
})
