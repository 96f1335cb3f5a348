import { PassThrough, type Readable } from 'node:stream'
import { textOf } from '#server/db/problem.ts'

/** One stored file, by the SHA-256 of what is in it (64 lower-case hex). */
export interface StoredFile {
  sha256: string
  /** Bytes. */
  size: number
}

/** Both ends included, as in HTTP. */
export interface ByteRange {
  start: number
  end: number
}

/**
 * Where the content of images and files is, by its hash: on disk or in storage that speaks S3. Nothing in it
 * is ever changed, so the same file may be put again, by several processes at once. Whatever fails is a
 * StorageFailure.
 */
export interface FileStore {
  /**
   * Moves a complete temporary file into the store: after it returns, the file outlives a crash of the
   * machine. The temporary file is gone; where it was gone before and the store has the content, nothing is
   * left to do.
   */
  put(temporary: string, file: StoredFile): Promise<void>
  /**
   * Throws MissingFile. The stream fails where it has fewer bytes than the range, and closes what it reads
   * from when it is destroyed.
   */
  read(sha256: string, range: ByteRange): Promise<Readable>
  find(sha256: string): Promise<StoredFile | null>
  /** Also of one that is not there. */
  remove(sha256: string): Promise<void>
  /** The hashes of all files in ascending order, some thousand at a time. */
  list(): AsyncIterable<string[]>
  /** Whether files can be stored now; throws what an operator has to know. */
  check(): Promise<void>
}

/** A row names a file that the store has not. */
export class MissingFile extends Error {
  override readonly name = 'MissingFile'
}

/**
 * The storage does not do what it should: it is full, closed to us or away. Failures of the system never
 * leave the store as they are: their codes (ENOENT, ECONNRESET) are also those of a database that is away.
 */
export class StorageFailure extends Error {
  override readonly name = 'StorageFailure'
}

/** What `work` throws becomes a StorageFailure. */
export async function inStorage<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof MissingFile || error instanceof StorageFailure) throw error
    throw failureOf(what, error)
  }
}

export function failureOf(what: string, cause: unknown): StorageFailure {
  const kind = cause instanceof Error && cause.name !== 'Error' ? `${cause.name}, ` : ''
  return new StorageFailure(`${what}: ${kind}${textOf(cause)}`, { cause })
}

/** At most so many names of files are in the memory at once. */
export const LISTED_AT_ONCE = 1000

export const isHash = (name: string) => /^[0-9a-f]{64}$/.test(name)

/** A path is made of it: anything else would be a mistake of ours. */
export function hashOnly(sha256: string): string {
  if (!isHash(sha256)) throw new Error('not a SHA-256')
  return sha256
}

/** The same bytes; fails where they are not as many as the range has, and with a StorageFailure alone. */
export function wholeRange(source: Readable, { start, end }: ByteRange): Readable {
  const expected = end - start + 1
  let bytes = 0
  const out = new PassThrough({
    transform(chunk: Buffer, _, done) {
      bytes += chunk.length
      done(null, chunk)
    },
    flush: done =>
      done(
        bytes === expected
          ? null
          : new StorageFailure(`a stored file has ${bytes} bytes where ${expected} were to be read`),
      ),
  })
  source.once('error', error => out.destroy(failureOf('a stored file cannot be read', error)))
  // A connection that ends early does not always fail.
  source.once('close', () => {
    if (!source.readableEnded) out.destroy(new StorageFailure('a stored file ended early'))
  })
  out.once('close', () => source.destroy())
  return source.pipe(out)
}
