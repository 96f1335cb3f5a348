import type { Readable } from 'node:stream'

/** One stored file, by the SHA-256 of what is in it (64 lower-case hex). */
export interface StoredFile {
  sha256: string
  /** Bytes. */
  size: number
  modified_at: Date
}

/** Both ends included, as in HTTP. */
export interface ByteRange {
  start: number
  end: number
}

/**
 * Where the content of images and files is, by its hash: on disk or in storage that speaks S3. Nothing in it
 * is ever changed, so the same file may be put again, by several processes at once.
 */
export interface FileStore {
  /**
   * Moves a complete temporary file into the store: after it returns, the file outlives a crash of the
   * machine. The temporary file is gone.
   */
  put(temporary: string, file: { sha256: string; size: number }): Promise<void>
  /** Throws MissingFile. */
  read(sha256: string, range?: ByteRange): Promise<Readable>
  has(sha256: string): Promise<boolean>
  /** Also of one that is not there. */
  remove(sha256: string): Promise<void>
  list(): AsyncIterable<StoredFile>
  /** Whether files can be stored now; throws what an operator has to know. */
  check(): Promise<void>
}

/** A row names a file that the store has not. */
export class MissingFile extends Error {
  override readonly name = 'MissingFile'
}
