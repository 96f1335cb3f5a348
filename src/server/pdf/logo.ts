import { inflateSync } from 'node:zlib'
import { imageTypeOf } from '#shared/images.ts'

/**
 * Whether a picture can stand on a document: PNG or JPEG, whole, and small enough. pdfkit decodes some
 * pictures in a callback, where a broken one would end the thread; so everything is checked before.
 */
export function isLogo(bytes: Uint8Array): boolean {
  if (bytes.length > MOST_LOGO_BYTES) return false
  try {
    const type = imageTypeOf(bytes)
    return (type === 'image/png' && isPng(bytes)) || (type === 'image/jpeg' && isJpeg(bytes))
  } catch {
    // Out of the bounds of the file, or not to be inflated.
    return false
  }
}

const MOST_LOGO_BYTES = 1024 * 1024
const MOST_LOGO_PIXELS = 4_000_000

/** The header names a size, and there are as many rows, each with a filter that exists. */
function isPng(bytes: Uint8Array): boolean {
  const chunks = pngChunks(bytes)
  const header = chunks.find(({ type }) => type === 'IHDR')?.data
  if (header === undefined || chunks.at(-1)?.type !== 'IEND') return false
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const [bits = 0, colour = 0, , , interlaced = 0] = header.subarray(8)
  const channels = CHANNELS[colour]
  if (channels === undefined || !BITS.has(bits) || width * height === 0) return false
  if (width * height > MOST_LOGO_PIXELS) return false
  if (colour === PALETTE && !chunks.some(({ type }) => type === 'PLTE')) return false
  const passes = (interlaced === 0 ? [WHOLE] : PASSES).map(({ x, y, dx, dy }) => {
    const [columns, rows] = [Math.ceil((width - x) / dx), Math.ceil((height - y) / dy)]
    return {
      rows: columns > 0 ? Math.max(0, rows) : 0,
      row_bytes: 1 + Math.ceil((columns * channels * bits) / 8),
    }
  })
  return areRows(chunks, passes)
}

function areRows(chunks: readonly Chunk[], passes: readonly { rows: number; row_bytes: number }[]): boolean {
  const size = passes.reduce((sum, { rows, row_bytes }) => sum + rows * row_bytes, 0)
  const packed = Buffer.concat(chunks.flatMap(({ type, data }) => (type === 'IDAT' ? [data] : [])))
  const pixels = inflateSync(packed, { maxOutputLength: size + 1 })
  if (pixels.length !== size) return false
  let at = 0
  for (const { rows, row_bytes } of passes)
    for (let row = 0; row < rows; row += 1, at += row_bytes) if ((pixels[at] ?? 0) > LAST_FILTER) return false
  return true
}

interface Chunk {
  type: string
  data: Buffer
}

function pngChunks(bytes: Uint8Array): Chunk[] {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const chunks: Chunk[] = []
  let at = PNG_SIGNATURE_BYTES
  while (at < file.length && chunks.at(-1)?.type !== 'IEND') {
    const length = file.readUInt32BE(at)
    if (at + CHUNK_FRAME_BYTES + length > file.length) throw new RangeError('the picture breaks off')
    const data = file.subarray(at + 8, at + 8 + length)
    chunks.push({ type: file.toString('latin1', at + 4, at + 8), data })
    at += CHUNK_FRAME_BYTES + length
  }
  return chunks
}

/** Its first frame names a size of one, three or four colours, and its end is there. */
function isJpeg(bytes: Uint8Array): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (file.lastIndexOf(JPEG_END) < file.length - MOST_BYTES_AFTER_JPEG) return false
  let at = 2
  while (file.readUInt8(at) === 0xff) {
    const marker = file.readUInt8(at + 1)
    if (isFrame(marker)) {
      const [height, width, colours] = [
        file.readUInt16BE(at + 5),
        file.readUInt16BE(at + 7),
        file.readUInt8(at + 9),
      ]
      return width * height > 0 && width * height <= MOST_LOGO_PIXELS && [1, 3, 4].includes(colours)
    }
    at += 2 + file.readUInt16BE(at + 2)
  }
  return false
}

/** Start of frame: C0 to CF, but for tables and arithmetic conditions. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

const PNG_SIGNATURE_BYTES = 8
/** Length, type, checksum. */
const CHUNK_FRAME_BYTES = 12
/** By the colour type: grey, colours, palette, grey and alpha, colours and alpha. */
const CHANNELS: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }
const PALETTE = 3
/** Paeth. */
const LAST_FILTER = 4
const BITS = new Set([1, 2, 4, 8, 16])
const WHOLE = { x: 0, y: 0, dx: 1, dy: 1 }
/** Adam7. */
const PASSES = [
  { x: 0, y: 0, dx: 8, dy: 8 },
  { x: 4, y: 0, dx: 8, dy: 8 },
  { x: 0, y: 4, dx: 4, dy: 8 },
  { x: 2, y: 0, dx: 4, dy: 4 },
  { x: 0, y: 2, dx: 2, dy: 4 },
  { x: 1, y: 0, dx: 2, dy: 2 },
  { x: 0, y: 1, dx: 1, dy: 2 },
]
const JPEG_END = Buffer.from([0xff, 0xd9])
const MOST_BYTES_AFTER_JPEG = 64
