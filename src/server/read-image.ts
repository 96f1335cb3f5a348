import { imageSize } from 'image-size'
import { imageTypeOf, MOST_IMAGE_BYTES, MOST_IMAGE_PIXELS, type ImageType } from '#shared/images.ts'

/** An image that browsers can show, with the size that its content states. */
export interface ReadImage {
  type: ImageType
  /** Pixels. */
  width: number
  height: number
  bytes: Uint8Array
}

/** An uploaded image; the field's problem when it is none, or too large to be stored or decoded. */
export function readImage(bytes: Uint8Array): ReadImage | 'image_type' | 'image_too_large' {
  if (bytes.length > MOST_IMAGE_BYTES) return 'image_too_large'
  const type = imageTypeOf(bytes)
  const size = type && sizeOf(bytes)
  if (!type || !size) return 'image_type'
  return size.width * size.height > MOST_IMAGE_PIXELS ? 'image_too_large' : { type, ...size, bytes }
}

/** null: only its first bytes are those of an image. */
function sizeOf(bytes: Uint8Array) {
  try {
    const { width, height } = imageSize(bytes)
    return width > 0 && height > 0 ? { width, height } : null
  } catch {
    return null
  }
}
