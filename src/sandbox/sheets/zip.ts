import { Buffer } from 'node:buffer'
import { crc32, createDeflateRaw } from 'node:zlib'

/** A file of an archive: its text in pieces, made while it is written. */
export interface ZipEntry {
  name: string
  text: Iterable<string>
}

const LOCAL = 0x04034b50
const DESCRIPTOR = 0x08074b50
const CENTRAL = 0x02014b50
const END = 0x06054b50
/** 1 January 1980: archives of the same content are the same bytes. */
const DOS_DATE = 0x21
/** Sizes follow the data; names are UTF-8. */
const FLAGS = 0x0808

/** A ZIP archive in pieces. Sizes are known only after an entry was packed, so they follow its data. */
export async function* zip(entries: Iterable<ZipEntry>): AsyncGenerator<Uint8Array> {
  const written: { name: Buffer; crc: number; packed: number; size: number; offset: number }[] = []
  let offset = 0
  for (const { name, text } of entries) {
    const entry = { name: Buffer.from(name), crc: 0, packed: 0, size: 0, offset }
    const head = Buffer.concat([numbers([4, LOCAL], [2, 20], ...common(entry)), numbers([2, 0]), entry.name])
    yield head
    for await (const piece of pack(text, entry)) yield piece
    const tail = numbers([4, DESCRIPTOR], [4, entry.crc], [4, entry.packed], [4, entry.size])
    yield tail
    offset += head.length + entry.packed + tail.length
    written.push(entry)
  }
  const directory = Buffer.concat(written.map(centralHeader))
  yield directory
  const count = written.length
  yield numbers([4, END], [2, 0], [2, 0], [2, count], [2, count], [4, directory.length], [4, offset], [2, 0])
}

async function* pack(
  text: Iterable<string>,
  entry: { crc: number; packed: number; size: number },
): AsyncGenerator<Uint8Array> {
  const deflate = createDeflateRaw({ level: 4 })
  const feed = async () => {
    for (const piece of text) {
      const bytes = Buffer.from(piece)
      entry.crc = crc32(bytes, entry.crc)
      entry.size += bytes.length
      if (!deflate.write(bytes)) await new Promise(resolve => deflate.once('drain', resolve))
      if (deflate.destroyed) return
    }
    deflate.end()
  }
  const fed = feed().catch(error =>
    deflate.destroy(error instanceof Error ? error : new Error(String(error))),
  )
  for await (const piece of deflate) {
    if (!(piece instanceof Uint8Array)) continue
    entry.packed += piece.length
    yield piece
  }
  await fed
}

type Entry = { name: Buffer; crc: number; packed: number; size: number; offset: number }

const common = ({ name, crc, packed, size }: Entry): [number, number][] => [
  [2, FLAGS],
  [2, 8],
  [2, 0],
  [2, DOS_DATE],
  [4, crc],
  [4, packed],
  [4, size],
  [2, name.length],
]

const centralHeader = (entry: Entry) =>
  Buffer.concat([
    numbers(
      [4, CENTRAL],
      [2, 20],
      [2, 20],
      ...common(entry),
      [2, 0],
      [2, 0],
      [2, 0],
      [2, 0],
      [4, 0],
      [4, entry.offset],
    ),
    entry.name,
  ])

/** Little-endian numbers of the given widths, one after another. */
function numbers(...fields: [2 | 4 | number, number][]): Buffer {
  const bytes = Buffer.alloc(fields.reduce((sum, [width]) => sum + width, 0))
  let at = 0
  for (const [width, value] of fields) at = bytes.writeUIntLE(value, at, width)
  return bytes
}
