import { partCounter, slice, textAt } from './bytes.ts'
import type { Container } from './container.ts'

const HEAD = 12
/** In the first byte of VP8X: that there are chunks of EXIF and XMP. */
const [HAS_EXIF, HAS_XMP] = [0x08, 0x04]

const essential = new Set(['VP8X', 'VP8 ', 'VP8L', 'ALPH', 'ICCP', 'ANIM', 'ANMF'])

/** https://developers.google.com/speed/webp/docs/riff_container */
export function readWebp(view: DataView): Container | null {
  const end = 8 + view.getUint32(4, true)
  const chunks: Uint8Array[] = []
  const names: string[] = []
  let size: { width: number; height: number } | null = null
  slice(view, 0, end)
  const count = partCounter()
  for (let at = HEAD; at < end;) {
    count()
    const name = textAt(view, at, 4)
    const length = view.getUint32(at + 4, true)
    const chunk = slice(view, at, Math.min(at + 8 + length + (length % 2), end))
    if (chunk.length < 8 + length) return null
    names.push(name)
    size ??= sizeOf(view, at + 8, name)
    if (!size) return null
    if (essential.has(name)) chunks.push(name === 'VP8X' ? withoutMetadata(chunk) : padded(chunk))
    at += chunk.length
  }
  const frames = names.filter(name => name === 'ANMF').length
  if (!size || (frames === 0 && !names.includes('VP8 ') && !names.includes('VP8L'))) return null
  return { ...size, frames: Math.max(1, frames), parts: [headOf(chunks), ...chunks] }
}

/** By the first chunk, which is one of three. */
function sizeOf(view: DataView, at: number, name: string): { width: number; height: number } | null {
  if (name === 'VP8X') return { width: uint24(view, at + 4) + 1, height: uint24(view, at + 7) + 1 }
  if (name === 'VP8 ')
    return { width: view.getUint16(at + 6, true) & 0x3fff, height: view.getUint16(at + 8, true) & 0x3fff }
  if (name !== 'VP8L') return null
  const bits = view.getUint32(at + 1, true)
  return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 }
}

const uint24 = (view: DataView, at: number) => view.getUint16(at, true) + view.getUint8(at + 2) * 0x10000

function withoutMetadata(chunk: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(chunk)
  copy[8] = (copy[8] ?? 0) & ~(HAS_EXIF | HAS_XMP)
  return copy
}

/** The last one of a file may lack it. */
function padded(chunk: Uint8Array): Uint8Array {
  if (chunk.length % 2 === 0) return chunk
  const even = new Uint8Array(chunk.length + 1)
  even.set(chunk)
  return even
}

function headOf(chunks: readonly Uint8Array[]): Uint8Array {
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1')
  head.writeUInt32LE(4 + chunks.reduce((sum, { length }) => sum + length, 0), 4)
  return head
}
