import { open as openFile, rm, type FileHandle } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PutObjectCommand, S3Client, S3ServiceException } from '@aws-sdk/client-s3'
import { backoffMs } from '#server/backoff.ts'
import { codeOf } from '#server/db/problem.ts'
import {
  hashOnly,
  inStorage,
  isHash,
  LISTED_AT_ONCE,
  MissingFile,
  StorageFailure,
  wholeRange,
  type FileStore,
  type StoredFile,
} from './store.ts'

export interface S3Settings {
  bucket: string
  /** null: Amazon's. */
  endpoint: string | null
  region: string
  access_key: string
  secret_key: string
  /** Empty, or with a slash at the end. */
  prefix: string
}

interface S3Limits {
  connect_ms: number
  /** Until a response begins, and of silence within one. */
  silent_ms: number
  /** The sweep holds a database session meanwhile, which may be idle for 15 seconds. */
  remove_ms: number
  attempts: number
  listed_at_once: number
}

const LIMITS: S3Limits = {
  connect_ms: 3000,
  silent_ms: 20_000,
  remove_ms: 10_000,
  attempts: 3,
  listed_at_once: LISTED_AT_ONCE,
}

/** Files in the bucket as `prefix`ab/<sha256>. The library, a large one, is loaded with the first call. */
export function s3Store(settings: S3Settings, changed: Partial<S3Limits> = {}): FileStore {
  const limits = { ...LIMITS, ...changed }
  let opened: Promise<Opened> | undefined
  const bucket: Bucket = { ...settings, limits, open: () => (opened ??= openClient(settings, limits)) }
  const { open } = bucket
  const placeOf = (sha256: string) => ({
    Bucket: settings.bucket,
    Key: `${settings.prefix}${hashOnly(sha256).slice(0, 2)}/${sha256}`,
  })

  async function upload(temporary: string, { sha256, size }: StoredFile) {
    const { sdk, client } = await open()
    const content = (await openWhole(temporary, size)).createReadStream()
    // The library does not see when it fails.
    const unread = new AbortController()
    content.once('error', error => unread.abort(error))
    const command = new sdk.PutObjectCommand({
      ...placeOf(sha256),
      Body: content,
      ContentLength: size,
      ContentType: 'application/octet-stream',
      ChecksumSHA256: Buffer.from(sha256, 'hex').toString('base64'),
    })
    signContent(command, sha256)
    try {
      await client.send(command, { abortSignal: unread.signal })
    } finally {
      content.destroy()
    }
  }

  const store: FileStore = {
    put: (temporary, file) =>
      inStorage('a file cannot be stored', async () => {
        // Also what is there: otherwise the time would tell that somebody else has it, and a removal that
        // was given up could still end after it was found.
        try {
          await repeated(limits.attempts, () => upload(temporary, file))
        } catch (error) {
          if (codeOf(error) !== 'ENOENT' || (await store.find(file.sha256)) === null) throw error
        }
        await rm(temporary, { force: true })
      }),

    read: (sha256, range) =>
      inStorage('a file cannot be read', async () => {
        const { sdk, client } = await open()
        const Range = `bytes=${range.start}-${range.end}`
        try {
          const { Body } = await client.send(new sdk.GetObjectCommand({ ...placeOf(sha256), Range }))
          if (!(Body instanceof Readable)) throw new Error('the response has no content')
          return wholeRange(Body, range)
        } catch (error) {
          if (error instanceof sdk.NoSuchKey) throw new MissingFile(`the file ${sha256} is not stored`)
          throw error
        }
      }),

    find: sha256 =>
      inStorage('files cannot be read', async () => {
        const { sdk, client } = await open()
        try {
          const { ContentLength = 0 } = await client.send(new sdk.HeadObjectCommand(placeOf(sha256)))
          return { sha256, size: ContentLength }
        } catch (error) {
          if (error instanceof sdk.NotFound) return null
          throw error
        }
      }),

    remove: sha256 =>
      inStorage('a file cannot be removed', async () => {
        const { sdk, client } = await open()
        const abortSignal = AbortSignal.timeout(limits.remove_ms)
        await client.send(new sdk.DeleteObjectCommand(placeOf(sha256)), { abortSignal })
      }),

    list: () => listBucket(bucket),

    check: () =>
      inStorage(`files cannot be stored in the bucket ${settings.bucket}`, () => checkBucket(bucket)),
  }
  return store
}

interface Bucket extends S3Settings {
  limits: S3Limits
  open(): Promise<Opened>
}

async function* listBucket(bucket: Bucket): AsyncGenerator<string[]> {
  let last = ''
  for (let token: string | undefined; ;) {
    const page = await inStorage('stored files cannot be listed', () => listPage(bucket, token))
    const hashes = page.keys.flatMap(key => hashIn(key.slice(bucket.prefix.length)))
    if (hashes.some((hash, at) => hash <= (hashes[at - 1] ?? last)))
      throw new StorageFailure('the storage does not list files in the order of their names')
    last = hashes.at(-1) ?? last
    yield hashes
    if (page.next === undefined) return
    token = page.next
  }
}

async function listPage({ bucket, prefix, limits, open }: Bucket, token: string | undefined) {
  const { sdk, client } = await open()
  const page = await client.send(
    new sdk.ListObjectsV2Command({
      Bucket: bucket,
      Prefix: prefix,
      MaxKeys: limits.listed_at_once,
      ...(token !== undefined && { ContinuationToken: token }),
    }),
  )
  const keys = (page.Contents ?? []).flatMap(({ Key }) => Key ?? [])
  return { keys, next: page.IsTruncated ? page.NextContinuationToken : undefined }
}

/** Every right that is needed, with a file that is no upload. */
async function checkBucket({ bucket, prefix, open }: Bucket) {
  const { sdk, client } = await open()
  const probe = { Bucket: bucket, Key: `${prefix}probe-${randomUUID()}` }
  await client.send(new sdk.PutObjectCommand({ ...probe, Body: 'probe' }))
  await client.send(new sdk.HeadObjectCommand(probe))
  await client.send(new sdk.ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, MaxKeys: 1 }))
  await client.send(new sdk.DeleteObjectCommand(probe))
}

/** Of ab/<sha256>; anything else there is not ours. */
function hashIn(path: string): string[] {
  const [folder = '', name = '', ...more] = path.split('/')
  return more.length === 0 && isHash(name) && name.startsWith(folder) && folder.length === 2 ? [name] : []
}

/** Another length than the one that is announced would leave the storage waiting. */
async function openWhole(path: string, size: number): Promise<FileHandle> {
  const handle = await openFile(path)
  const found = await handle.stat()
  if (found.size === size) return handle
  await handle.close()
  throw new StorageFailure(`the temporary file has ${found.size} bytes and not ${size}`)
}

interface Opened {
  sdk: typeof import('@aws-sdk/client-s3')
  client: S3Client
}

async function openClient(
  { endpoint, region, access_key, secret_key }: S3Settings,
  { connect_ms, silent_ms, attempts }: S3Limits,
): Promise<Opened> {
  const sdk = await import('@aws-sdk/client-s3')
  // One for each download that somebody reads slowly.
  const agent = { keepAlive: true, maxSockets: 256 }
  const client = new sdk.S3Client({
    region,
    credentials: { accessKeyId: access_key, secretAccessKey: secret_key },
    ...(endpoint !== null && { endpoint }),
    // Other storage than Amazon's seldom has names for its buckets.
    forcePathStyle: endpoint !== null,
    maxAttempts: attempts,
    requestHandler: {
      connectionTimeout: connect_ms,
      requestTimeout: silent_ms,
      throwOnRequestTimeout: true,
      socketTimeout: silent_ms,
      httpAgent: agent,
      httpsAgent: agent,
    },
    // Its warnings would go to the standard output; what fails is logged by whoever asked.
    logger: SILENT,
    // Checksums of other kinds, which not all storage knows.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  return { sdk, client }
}

const nothing = () => undefined
const SILENT = { debug: nothing, info: nothing, warn: nothing, error: nothing }

/**
 * The hash joins what is signed, so that any storage compares it with what arrives; the library only signs
 * content that it has in memory.
 */
function signContent(command: PutObjectCommand, sha256: string) {
  command.middlewareStack.add(
    next => async sent => {
      const { request } = sent
      if (typeof request === 'object' && request !== null && 'headers' in request)
        Object.assign(request.headers ?? {}, { 'x-amz-content-sha256': sha256 })
      return await next(sent)
    },
    { step: 'build' },
  )
}

/** The library does not repeat what it has begun to read from a stream. */
async function repeated(attempts: number, work: () => Promise<void>): Promise<void> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await work()
    } catch (error) {
      if (failures >= attempts || isFinal(error)) throw error
      await sleep(backoffMs(failures, { first_ms: 100, longest_ms: 1000 }))
    }
  }
}

/** It would be refused again, or our own file cannot be read. Without a status the connection was lost. */
function isFinal(error: unknown): boolean {
  if (error instanceof StorageFailure) return true
  const { $metadata, syscall } = Object(error) as Partial<S3ServiceException & NodeJS.ErrnoException>
  const status = $metadata?.httpStatusCode
  return syscall === 'open' || (status !== undefined && status >= 400 && status < 500 && status !== 429)
}
