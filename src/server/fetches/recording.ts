import { promisify } from 'node:util'
import { constants, zstdCompress, zstdDecompress } from 'node:zlib'
import { z } from 'zod'
import type { Page, RunNote } from '#server/connectors/connector.ts'
import { noteCodes } from '#shared/run-notes.ts'
import { pageReader, pageWriter } from './page-bytes.ts'

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

/**
 * Larger responses are fetched by every run for itself: caching them would cost more memory and writing than
 * it saves.
 */
const MOST_BYTES = 16 * 1024 * 1024
const MOST_COMPRESSED_BYTES = 4 * 1024 * 1024
const CHUNK_BYTES = 256 * 1024

/** Records a response as it passes by. */
export interface Recording {
  note(note: RunNote): void
  /**
   * false: the response has become too large for the cache. Its bytes are compressed beside what happens
   * next.
   */
  add(page: Page): Promise<boolean>
  finish(): Promise<Buffer>
}

export function startRecording(): Recording {
  const notes: RunNote[] = []
  const bytesOf = pageWriter()
  const chunks: Buffer[] = []
  let packing = Promise.resolve()
  let pending: Buffer[] = []
  let pendingBytes = 0
  let bytes = 0
  let compressedBytes = 0
  const compressed = async (raw: Buffer) => {
    const packed = await compress(raw, { params: { [constants.ZSTD_c_compressionLevel]: 1 } })
    compressedBytes += packed.length
    chunks.push(withLength(packed))
  }
  /** One chunk at a time. */
  const pack = async () => {
    const raw = Buffer.concat(pending)
    pending = []
    pendingBytes = 0
    await packing
    packing = compressed(raw)
    // It may fail before it is awaited.
    packing.catch(() => undefined)
  }
  return {
    note: note => void notes.push(note),
    async add(page) {
      const added = bytesOf(page)
      pending.push(added)
      pendingBytes += added.length
      bytes += added.length
      if (bytes > MOST_BYTES) return false
      if (pendingBytes > CHUNK_BYTES) await pack()
      return compressedBytes <= MOST_COMPRESSED_BYTES
    },
    async finish() {
      await pack()
      await packing
      return Buffer.concat([withLength(Buffer.from(JSON.stringify(notes))), ...chunks])
    },
  }
}

const Notes = z.array(
  z.object({ code: z.enum(noteCodes), detail: z.record(z.string(), z.union([z.string(), z.number()])) }),
)

/** The recorded response: the notes first, then page by page, one chunk unpacked at a time. */
export async function* replay(recorded: Buffer, note: (note: RunNote) => void): AsyncGenerator<Page> {
  const [notes, ...chunks] = chunksIn(recorded)
  for (const runNote of Notes.parse(JSON.parse(notes?.toString() ?? '[]'))) note(runNote)
  const pagesIn = pageReader()
  for (const chunk of chunks) yield* pagesIn(await decompress(chunk))
}

const LENGTH_BYTES = 4

function withLength(chunk: Buffer): Buffer {
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32LE(chunk.length)
  return Buffer.concat([length, chunk])
}

function chunksIn(recorded: Buffer): Buffer[] {
  const chunks: Buffer[] = []
  for (let at = 0; at < recorded.length;) {
    const from = at + LENGTH_BYTES
    at = from + recorded.readUInt32LE(at)
    chunks.push(recorded.subarray(from, at))
  }
  return chunks
}
