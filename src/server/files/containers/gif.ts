import { partCounter, slice, textAt } from './bytes.ts'
import type { Container } from './container.ts'

const [EXTENSION, IMAGE, TRAILER] = [0x21, 0x2c, 0x3b]
const [CONTROL, APPLICATION] = [0xf9, 0xff]

/** How often an animation repeats, and its colour profile. */
const essential = ['NETSCAPE2.0', 'ANIMEXTS1.0', 'ICCRGBG1012']

/** https://www.w3.org/Graphics/GIF/spec-gif89a.txt */
export function readGif(view: DataView): Container | null {
  let at = 13 + colours(view.getUint8(10))
  const parts = [slice(view, 0, at)]
  const size = { width: view.getUint16(6, true), height: view.getUint16(8, true) }
  let frames = 0
  const count = partCounter()
  for (;;) {
    count()
    const kind = view.getUint8(at)
    if (kind === TRAILER) break
    if (kind !== EXTENSION && kind !== IMAGE) return null
    const data = kind === IMAGE ? at + 11 + colours(view.getUint8(at + 9)) : at + 2
    const end = endOfBlocks(view, data)
    if (kind === IMAGE) {
      frames += 1
      // Decoders make room for a picture that is larger than all.
      size.width = Math.max(size.width, view.getUint16(at + 1, true) + view.getUint16(at + 5, true))
      size.height = Math.max(size.height, view.getUint16(at + 3, true) + view.getUint16(at + 7, true))
    }
    if (kind === IMAGE || isEssential(view, at)) parts.push(slice(view, at, end))
    at = end
  }
  parts.push(slice(view, at, at + 1))
  return { ...size, frames, parts }
}

/** Bytes of a table of colours, by the flags that announce it. */
const colours = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)

function isEssential(view: DataView, at: number): boolean {
  const label = view.getUint8(at + 1)
  if (label === CONTROL) return true
  return label === APPLICATION && view.getUint8(at + 2) === 11 && essential.includes(textAt(view, at + 3, 11))
}

/** Blocks of up to 255 bytes, the last of which is empty. */
function endOfBlocks(view: DataView, start: number): number {
  let at = start
  while (view.getUint8(at) > 0) at += view.getUint8(at) + 1
  return at + 1
}
