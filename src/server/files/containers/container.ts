import type { ImageType } from '#shared/images.ts'
import { readGif } from './gif.ts'
import { readJpeg } from './jpeg.ts'
import { readPng } from './png.ts'
import { readWebp } from './webp.ts'

/** What the file of a picture says about it; nothing of it is decoded. */
export interface Container {
  /** Pixels; of an animation, those of the largest of its pictures. */
  width: number
  height: number
  /** How many pictures an animation has; else 1. */
  frames: number
  /**
   * The file without what is neither picture, colours nor animation: texts, places, other programs' data, and
   * what follows the end.
   */
  parts: Uint8Array[]
}

/** null: it breaks off, or is not made as its kind is. */
export const readContainer = (bytes: Uint8Array, type: ImageType): Container | null =>
  readers[type](new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength))

const readers: Record<ImageType, (view: DataView) => Container | null> = {
  'image/png': guarded(readPng),
  'image/jpeg': guarded(readJpeg),
  'image/gif': guarded(readGif),
  'image/webp': guarded(readWebp),
}

/** Whatever a length of the file leads beyond its end. */
function guarded(read: (view: DataView) => Container | null) {
  return (view: DataView) => {
    try {
      const container = read(view)
      return container && container.width > 0 && container.height > 0 && container.frames > 0
        ? container
        : null
    } catch (error) {
      if (error instanceof RangeError) return null
      throw error
    }
  }
}
