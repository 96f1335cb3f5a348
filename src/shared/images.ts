/**
 * What browsers and the product can show as a picture; recognised by content, since a name proves nothing.
 */
export const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const
export type ImageType = (typeof imageTypes)[number]

/** Of one picture that is sent to the product. */
export const MOST_IMAGE_BYTES = 5 * 1024 * 1024
/** Decoded, a picture takes four bytes per pixel: larger ones only serve to exhaust memory. */
export const MOST_IMAGE_PIXELS = 50_000_000

/** What documents can print; a logo is printed small, and every document carries it. */
export const logoTypes = ['image/png', 'image/jpeg'] as const
export const MOST_LOGO_BYTES = 512 * 1024

/** The type of a picture by its first bytes (12 are enough); null for everything else. */
export function imageTypeOf(head: Uint8Array): ImageType | null {
  const text = String.fromCharCode(...head.subarray(0, 12))
  return signatures.find(([, signature]) => signature.test(text))?.[0] ?? null
}

const signatures = [
  ['image/png', /^\u0089PNG\r\n/],
  ['image/jpeg', /^\u00ff\u00d8\u00ff/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF[\s\S]{4}WEBP/],
] as const
