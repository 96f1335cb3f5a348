import { crc32 } from 'node:zlib'
import { partCounter, slice, textAt } from './bytes.ts'
import type { Container } from './container.ts'

const SIGNATURE = 8
/** Of a chunk beside its data: length, name, checksum. */
const BESIDE = 12

/** The pixels; their colours and sizes; an animation (APNG). */
const essential = new Set(
  'IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI bKGD pHYs acTL fcTL fdAT'.split(' '),
)

/** https://www.w3.org/TR/png-3/#5DataRep */
export function readPng(view: DataView): Container | null {
  const parts = [slice(view, 0, SIGNATURE)]
  const counts = new Map<string, number>()
  const count = partCounter()
  for (let at = SIGNATURE; ;) {
    count()
    const length = view.getUint32(at)
    const chunk = slice(view, at, at + length + BESIDE)
    const name = textAt(view, at + 4, 4)
    if ((counts.size === 0) !== (name === 'IHDR') || isUnknown(name)) return null
    if (crc32(chunk.subarray(4, -4)) !== view.getUint32(at + length + 8)) return null
    counts.set(name, (counts.get(name) ?? 0) + 1)
    if (essential.has(name)) parts.push(chunk)
    at += chunk.length
    if (name === 'IEND') break
  }
  if (!counts.has('IDAT')) return null
  return {
    width: view.getUint32(SIGNATURE + 8),
    height: view.getUint32(SIGNATURE + 12),
    frames: counts.has('acTL') ? (counts.get('fcTL') ?? 0) : 1,
    parts,
  }
}

/** One that starts with a capital cannot be left out of a picture. */
const isUnknown = (name: string) => !essential.has(name) && !/^[a-z][A-Za-z]{3}$/.test(name)
