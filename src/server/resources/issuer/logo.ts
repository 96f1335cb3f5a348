import { MOST_LOGO_BYTES } from '#shared/images.ts'
import { isLogo } from '#server/pdf/logo.ts'
import { readImage } from '#server/read-image.ts'

export interface Logo {
  type: 'image/png' | 'image/jpeg'
  bytes: Uint8Array
}

const MOST_LOGO_PIXELS = 4_000_000

const DATA_URL = /^data:image\/(?:png|jpeg);base64,([A-Za-z0-9+/]+={0,2})$/

/** A data URL of a picture that documents can show, by its content; else the field's problem. */
export function logoOf(url: string): Logo | 'image_type' | 'image_too_large' {
  const encoded = DATA_URL.exec(url)?.[1]
  if (encoded === undefined) return 'image_type'
  const bytes = Buffer.from(encoded, 'base64')
  if (bytes.length > MOST_LOGO_BYTES) return 'image_too_large'
  const image = readImage(bytes)
  if (typeof image === 'string') return image
  const { type, width, height } = image
  if (type !== 'image/png' && type !== 'image/jpeg') return 'image_type'
  if (width * height > MOST_LOGO_PIXELS) return 'image_too_large'
  return isLogo(bytes) ? { type, bytes } : 'image_type'
}

export const dataUrlOf = (type: string, bytes: Uint8Array) =>
  `data:${type};base64,${Buffer.from(bytes).toString('base64')}`
