import { imageSize } from 'image-size'
import { imageTypeOf, MOST_IMAGE_BYTES, MOST_IMAGE_PIXELS, type ImageType } from '#shared/images.ts'

/** A picture that browsers can show, as large as its content says. */
export interface ReadImage {
  type: ImageType
  /** Pixels. */
  width: number
  height: number
  bytes: Uint8Array
}

/**
 * What somebody has sent as a picture; the field's problem when it is none, or too large to be kept or
 * unpacked.
 */
export function readImage(bytes: Uint8Array): ReadImage | 'image_type' | 'image_too_large' {
  if (bytes.length > MOST_IMAGE_BYTES) return 'image_too_large'
  const type = imageTypeOf(bytes)
  const size = type && sizeOf(bytes)
  if (!type || !size) return 'image_type'
  return size.width * size.height > MOST_IMAGE_PIXELS ? 'image_too_large' : { type, ...size, bytes }
}

/** null: it only begins like a picture. */
function sizeOf(bytes: Uint8Array) {
  try {
    const { width, height } = imageSize(bytes)
    return width > 0 && height > 0 ? { width, height } : null
  } catch {
    return null
  }
}
