import { promisify } from 'node:util'
import { constants, zstdCompress, zstdDecompress } from 'node:zlib'
import { z } from 'zod'
import type { Page, RunNote } from '#server/connectors/connector.ts'
import { noteCodes } from '#shared/run-notes.ts'
import { bytesOf, pagesIn } from './page-bytes.ts'

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

/** Larger answers are asked for by everybody who wants them: keeping them would cost more memory and writing than it spares. */
const MOST_BYTES = 16 * 1024 * 1024
const MOST_COMPRESSED_BYTES = 4 * 1024 * 1024
const PART_BYTES = 256 * 1024

/** An answer as it passes by. */
export interface Recording {
  note(note: RunNote): void
  /** false: the answer has become too large to keep. */
  add(page: Page): Promise<boolean>
  finish(): Promise<Buffer>
}

export function startRecording(): Recording {
  const notes: RunNote[] = []
  const parts: Buffer[] = []
  let pending: Buffer[] = []
  let pending_bytes = 0
  let bytes = 0
  let compressed_bytes = 0
  const pack = async () => {
    const packed = await compress(Buffer.concat(pending), {
      params: { [constants.ZSTD_c_compressionLevel]: 1 },
    })
    pending = []
    pending_bytes = 0
    compressed_bytes += packed.length
    parts.push(withLength(packed))
  }
  return {
    note: note => void notes.push(note),
    async add(page) {
      const added = bytesOf(page)
      pending.push(added)
      pending_bytes += added.length
      bytes += added.length
      if (bytes > MOST_BYTES) return false
      if (pending_bytes > PART_BYTES) await pack()
      return compressed_bytes <= MOST_COMPRESSED_BYTES
    },
    async finish() {
      await pack()
      return Buffer.concat([withLength(Buffer.from(JSON.stringify(notes))), ...parts])
    },
  }
}

const Notes = z.array(
  z.object({ code: z.enum(noteCodes), detail: z.record(z.string(), z.union([z.string(), z.number()])) }),
)

/** What was recorded: the notes first, then page by page, one part unpacked at a time. */
export async function* replay(recorded: Buffer, note: (note: RunNote) => void): AsyncGenerator<Page> {
  const [notes, ...parts] = partsIn(recorded)
  for (const said of Notes.parse(JSON.parse(notes?.toString() ?? '[]'))) note(said)
  for (const part of parts) yield* pagesIn(await decompress(part))
}

const LENGTH_BYTES = 4

function withLength(part: Buffer): Buffer {
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32LE(part.length)
  return Buffer.concat([length, part])
}

function partsIn(recorded: Buffer): Buffer[] {
  const parts: Buffer[] = []
  for (let at = 0; at < recorded.length;) {
    const from = at + LENGTH_BYTES
    at = from + recorded.readUInt32LE(at)
    parts.push(recorded.subarray(from, at))
  }
  return parts
}
