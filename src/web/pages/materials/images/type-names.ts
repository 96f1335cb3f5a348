import type { ImageType } from '#shared/images.ts'

/** As people call them, the same in every language. */
export const imageTypeNames: Record<ImageType, string> = {
  'image/png': 'PNG',
  'image/jpeg': 'JPEG',
  'image/gif': 'GIF',
  'image/webp': 'WebP',
}
