import { partCounter, slice, textAt } from './bytes.ts'
import type { Container } from './container.ts'

const [END_OF_IMAGE, START_OF_SCAN] = [0xd9, 0xda]

/** ITU-T T.81, annex B: segments, each with its length, and the data of scans between them. */
export function readJpeg(view: DataView): Container | null {
  const parts = [slice(view, 0, 2)]
  let size: { width: number; height: number } | null = null
  let scans = 0
  const count = partCounter()
  for (let at = 2; ;) {
    count()
    if (view.getUint8(at) !== 0xff) return null
    const marker = view.getUint8(at + 1)
    if (marker === 0xff) {
      // Any number of them may stand before a marker.
      at += 1
      continue
    }
    if (marker === END_OF_IMAGE) {
      parts.push(slice(view, at, at + 2))
      break
    }
    const length = view.getUint16(at + 2)
    if (length < 2 || !isSegment(marker)) return null
    const end = at + 2 + length
    if (isFrame(marker)) {
      if (size) return null
      size = { height: view.getUint16(at + 5), width: view.getUint16(at + 7) }
    }
    if (marker === START_OF_SCAN) {
      scans += 1
      if (!size || scans > MOST_SCANS) return null
    }
    const stop = marker === START_OF_SCAN ? endOfScan(view, end) : end
    if (isEssential(view, at)) parts.push(slice(view, at, stop))
    at = stop
  }
  return size && scans > 0 ? { ...size, frames: 1, parts } : null
}

/**
 * Cameras and programs write ten or so. For each, however short, the decoder goes through all of the picture,
 * and it looks at its clock only when the last of them is read.
 */
const MOST_SCANS = 100

/** Its header says the size. Of C0 to CF three say something else. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

/** Frames, tables, scans, what programs add (E0 to EF), comments. */
const isSegment = (marker: number) => (marker >= 0xc0 && marker <= 0xef && !isBare(marker)) || marker === 0xfe

/** Without a length: restarts, which stand in scans, the start and the end. */
const isBare = (marker: number) => marker >= 0xd0 && marker <= 0xd9

/** Of what programs add, what decides about colours. */
function isEssential(view: DataView, at: number): boolean {
  const [marker, length] = [view.getUint8(at + 1), view.getUint16(at + 2)]
  if (marker < 0xe0) return true
  const name = textAt(view, at + 4, Math.min(12, length - 2))
  // Longer ones have a small picture of their own, of what the picture was before somebody cut it.
  if (marker === 0xe0) return name.startsWith('JFIF\0') && length === 16
  if (marker === 0xe2) return name.startsWith('ICC_PROFILE\0')
  return marker === 0xee && name.startsWith('Adobe')
}

/** Data of a scan has an FF only before 00 and before restarts. */
function endOfScan(view: DataView, start: number): number {
  const bytes = slice(view, start, view.byteLength)
  for (let at = 0; ; at += 1) {
    const next = bytes[at + 1]
    if (next === undefined) break
    if (bytes[at] === 0xff && next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return start + at
  }
  throw new RangeError('the scan does not end')
}
