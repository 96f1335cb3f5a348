import type { ImageType } from '#shared/images.ts'

/** What platforms ask of an image. */
export const imageFormats = [
  'google_landscape',
  'google_square',
  'google_logo_wide',
  'google_logo_square',
  'line_card',
  'line_square',
  'line_small',
  'meta_square',
  'meta_portrait',
  'meta_story',
  'tiktok',
  'ly',
] as const
export type ImageFormat = (typeof imageFormats)[number]

export interface ImageFacts {
  width: number
  height: number
  /** Bytes. */
  size: number
  mime: ImageType
}
