import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { finished, pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { DatabaseProblem, textOf } from './problem.ts'

/**
 * A named piece of an archive. Large content is split, so that a piece is never more than a few megabytes.
 */
export type Entry = { name: string; bytes: Buffer }

/**
 * Writes an ordinary .tar.gz, so that `tar xzf` opens a backup without Sheetcast. The file appears under its
 * name only when it is complete and on disk; only its owner may read it.
 */
export async function writeArchive(path: string, entries: AsyncIterable<Entry>): Promise<void> {
  const draft = `${path}.partial-${process.pid}`
  try {
    const file = createWriteStream(draft, { mode: 0o600, flush: true })
    const gzip = createGzip({ level: 5 })
    const written = finished(gzip.pipe(file))
    // Awaited below; without this a full disk would end the process while a table is read.
    written.catch(() => undefined)
    const put = async (bytes: Buffer) => {
      if (!gzip.write(bytes))
        await Promise.race([new Promise(drained => gzip.once('drain', drained)), written])
    }
    for await (const { name, bytes } of entries) {
      await put(header(name, bytes.length))
      await put(bytes)
      await put(Buffer.alloc(padding(bytes.length)))
    }
    gzip.end(Buffer.alloc(2 * BLOCK))
    await written
    await rename(draft, path)
  } finally {
    await rm(draft, { force: true })
  }
}

/** Reads what writeArchive wrote; a cut or altered file is refused at the latest at its end. */
export async function* readArchive(path: string): AsyncGenerator<Entry> {
  await (await open(path)).close() // a missing file is reported as such
  const content = createGunzip()
  pipeline(createReadStream(path), content).catch(() => undefined) // the reader of the content gets the error
  const take = byteReader(content)
  try {
    for (;;) {
      const head = await take(BLOCK)
      if (head.every(byte => byte === 0)) break
      const { name, size } = readHeader(head)
      const bytes = await take(size)
      await take(padding(size))
      yield { name, bytes }
    }
    await take(BLOCK)
    await take.end()
  } catch (error) {
    if (error instanceof DatabaseProblem) throw error
    throw unreadable(textOf(error))
  } finally {
    content.destroy()
  }
}

export const unreadable = (why: string) =>
  new DatabaseProblem(
    'backup_unreadable',
    `The file is not a whole backup of Sheetcast: ${why}. Nothing was changed.`,
  )

const BLOCK = 512
// Pieces are a few megabytes; a row, which is never cut, may be larger.
const LARGEST = 1_200_000_000
const padding = (size: number) => (BLOCK - (size % BLOCK)) % BLOCK

// POSIX ustar: name 0–99, mode 100, uid 108, gid 116, size 124, time 136, sum 148, type 156, magic 257.
function header(name: string, size: number) {
  if (Buffer.byteLength(name) > 99) throw new RangeError(`the name is too long for an archive: ${name}`)
  const block = Buffer.alloc(BLOCK)
  block.write(name, 0)
  for (const [at, number] of [
    [100, '0000600'],
    [108, '0000000'],
    [116, '0000000'],
  ] as const)
    block.write(number, at)
  block.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  block.write(`${'0'.repeat(11)}\0`, 136)
  block.write('0', 156)
  block.write('ustar', 257)
  block.write('00', 263)
  block.write(`${sumOf(block).toString(8).padStart(6, '0')}\0 `, 148)
  return block
}

function readHeader(block: Buffer) {
  const text = (from: number, to: number) => block.toString('utf8', from, to).replace(/\0.*$/s, '')
  if (text(257, 262) !== 'ustar' || Number.parseInt(text(148, 156), 8) !== sumOf(block))
    throw unreadable('it is compressed but no archive')
  const size = Number.parseInt(text(124, 136), 8)
  if (!(size <= LARGEST)) throw unreadable(`an entry has ${size} bytes`)
  return { name: text(0, 100), size }
}

/** The sum of the header's bytes, its own field counted as spaces. */
function sumOf(block: Buffer) {
  return block.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 32 : byte), 0)
}

/** Takes exact numbers of bytes from a stream. */
function byteReader(stream: AsyncIterable<Buffer>) {
  const chunks = stream[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)
  const take = async (size: number) => {
    const parts = [rest]
    for (let have = rest.length; have < size;) {
      const { value, done } = await chunks.next()
      if (done) throw unreadable('it ends in the middle')
      parts.push(value)
      have += value.length
    }
    const all = parts.length === 1 ? rest : Buffer.concat(parts)
    rest = all.subarray(size)
    return all.subarray(0, size)
  }
  /** Reads to the end, where the compression has its own sum. */
  const end = async () => {
    while (!(await chunks.next()).done) rest = Buffer.alloc(0)
  }
  return Object.assign(take, { end })
}
