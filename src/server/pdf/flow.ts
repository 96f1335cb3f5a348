import type { Canvas } from './canvas.ts'

/** A strip over the whole width of a page that is never cut. */
export interface Strip {
  height: number
  /** `y` is its upper edge. */
  draw(y: number): void
  /** The next strip is on the same page, if a page can hold both. */
  keeps?: boolean
  /** Left out where a page begins. */
  is_gap?: boolean
  /** Drawn again above this strip where a page begins with it: a table's head. */
  head?: Strip
}

interface Frame {
  /** Where strips begin on the first page, and on the others. */
  first_top: number
  top: number
  bottom: number
}

/** Places strips one below the other, on as many pages as they need. */
export function placeStrips(strips: readonly Strip[], frame: Frame, canvas: Canvas) {
  canvas.addPage()
  let y = frame.first_top
  let isFresh = true

  const turn = () => {
    canvas.addPage()
    y = frame.top
    isFresh = true
  }
  const place = (strip: Strip) => {
    if (y + strip.height > frame.bottom && !isFresh) turn()
    if (isFresh && strip.is_gap) return
    if (isFresh && strip.head) {
      strip.head.draw(y)
      y += strip.head.height
    }
    strip.draw(y)
    y += strip.height
    isFresh = false
  }

  for (const group of groupsOf(strips)) {
    const height = group.reduce((sum, strip) => sum + strip.height, 0)
    const room = frame.bottom - frame.top - (group[0]?.head?.height ?? 0)
    if (y + height > frame.bottom && height <= room && !isFresh) turn()
    for (const strip of group) place(strip)
  }
}

/** Strips that stay together. */
function groupsOf(strips: readonly Strip[]): Strip[][] {
  const groups: Strip[][] = []
  let isOpen = false
  for (const strip of strips) {
    if (isOpen) groups.at(-1)?.push(strip)
    else groups.push([strip])
    isOpen = strip.keeps ?? false
  }
  return groups
}

/** Belongs to what follows. */
export const gap = (height: number): Strip => ({ height, draw() {}, keeps: true, is_gap: true })
