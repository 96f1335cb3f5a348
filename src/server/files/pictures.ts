import type { ImageType } from '#shared/images.ts'
import type { FitBox } from '#shared/materials/format-verdicts.ts'

export interface Picture {
  mime: ImageType
  /** As it is shown, turned upright. */
  width: number
  height: number
  is_animated: boolean
  /** What may be stored and served: the file itself where nothing had to be changed. */
  content: Uint8Array
  /** WebP, by their longest side; of an animation the first picture. */
  previews: { 320: Uint8Array; 1280: Uint8Array }
}

export type PictureProblem = 'image_type' | 'image_damaged' | 'image_too_large' | 'overloaded'

export interface Pictures {
  /** An uploaded picture, whatever it is in truth. */
  read(bytes: Uint8Array): Promise<Picture | PictureProblem>
  /** A part of a picture that has been read, as a new one of the first of these types that it can have. */
  cut(
    picture: Pick<Picture, 'mime' | 'content' | 'is_animated'>,
    to: { box: FitBox; types: readonly ImageType[] },
  ): Promise<Picture | PictureProblem>
}

/** Loads the library with the first picture: it takes 40 MB, and most processes never see one. */
export function openPictures(): Pictures {
  let opened: Promise<Pictures> | undefined
  const open = async () => (await import('./picture.ts')).openDecoder()
  return {
    read: async bytes => (await (opened ??= open())).read(bytes),
    cut: async (picture, to) => (await (opened ??= open())).cut(picture, to),
  }
}
