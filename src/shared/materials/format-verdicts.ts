import { MOST_IMAGE_BYTES, type ImageType } from '#shared/images.ts'
import { imageFormats, type ImageFacts, type ImageFormat } from './image-formats.ts'

/** What one format says to an image. */
export interface FormatVerdict {
  format: ImageFormat
  /** The platform does not document it; images of this size have proved themselves. */
  is_advice: boolean
  met: boolean
  /** What keeps it from being met, all of it. */
  misses: readonly FormatMiss[]
  /** How much wider than its ratio, as a share: 0.002 is 0.2 %. null where the size is exact. */
  ratio_off: number | null
}

export type FormatMiss =
  /** Pixels too few, or too many (negative) where the size is exact. */
  | { kind: 'width' | 'height'; by: number; required: number; is_exact: boolean }
  /** Too wide by this share, or too high (negative). */
  | { kind: 'ratio'; by: number; required: number }
  /** Bytes too many. */
  | { kind: 'size'; by: number; most: number }
  | { kind: 'type'; allowed: readonly ImageType[] }

/** Each format's own word, in the order in which they are listed. */
export const formatVerdicts = (image: ImageFacts): FormatVerdict[] =>
  imageFormats.map(format => verdictOf(image, format))

export const formatsMet = (image: ImageFacts): ImageFormat[] =>
  formatVerdicts(image).flatMap(({ format, met }) => (met ? [format] : []))

/** Of the formats that an image does not meet, the one that the least is missing for; null: it meets all. */
export function nearestMiss(image: ImageFacts): FormatVerdict | null {
  const unmet = formatVerdicts(image).filter(({ met }) => !met)
  return unmet.toSorted((a, b) => distance(a, image) - distance(b, image))[0] ?? null
}

export function verdictOf(image: ImageFacts, format: ImageFormat): FormatVerdict {
  const rule = formatRules[format]
  const misses = [...missesOfSize(image, rule), ...missesOfFile(image, rule)]
  return {
    format,
    is_advice: rule.is_advice ?? false,
    met: misses.length === 0,
    misses,
    ratio_off: rule.ratio === undefined ? null : ratioOff(image, rule.ratio),
  }
}

/** Part of an image, in its pixels, and the size that it gets. */
export interface FitBox {
  left: number
  top: number
  width: number
  height: number
  /** Never larger than the part. */
  to: { width: number; height: number }
}

/** The largest part from the middle that meets a format; null where it would have to be enlarged. */
export function fitBox({ width, height }: { width: number; height: number }, format: ImageFormat) {
  const rule = formatRules[format]
  const isCut =
    rule.ratio === undefined || Math.abs(ratioOff({ width, height }, rule.ratio)) > RATIO_TOLERANCE
  const ratio = isCut ? (rule.ratio ?? rule.width / rule.height) : width / height
  const cut = {
    width: Math.min(width, Math.round(height * ratio)),
    height: Math.min(height, Math.round(width / ratio)),
  }
  if (cut.width < rule.width || cut.height < rule.height) return null
  const to = rule.ratio === undefined ? { width: rule.width, height: rule.height } : { ...cut }
  const box: FitBox = {
    left: Math.floor((width - cut.width) / 2),
    top: Math.floor((height - cut.height) / 2),
    ...cut,
    to,
  }
  return box
}

/** How far an image's ratio may be from Google's: 1 %, and what a division of floating point adds to it. */
const RATIO_TOLERANCE = 0.01 + 1e-12

interface FormatRule {
  /** The least where there is a ratio, else exactly. */
  width: number
  height: number
  /** Width by height. */
  ratio?: number
  most_bytes?: number
  types?: readonly ImageType[]
  is_advice?: true
}

const lineTypes = ['image/jpeg', 'image/png'] as const

export const formatRules: Record<ImageFormat, FormatRule> = {
  google_landscape: { width: 600, height: 314, ratio: 1.91, most_bytes: MOST_IMAGE_BYTES },
  google_square: { width: 300, height: 300, ratio: 1, most_bytes: MOST_IMAGE_BYTES },
  google_logo_wide: { width: 512, height: 128, ratio: 4, most_bytes: MOST_IMAGE_BYTES },
  google_logo_square: { width: 128, height: 128, ratio: 1, most_bytes: MOST_IMAGE_BYTES },
  line_card: { width: 1200, height: 628, types: lineTypes },
  line_square: { width: 1080, height: 1080, types: lineTypes },
  line_small: { width: 600, height: 400, types: lineTypes },
  meta_square: { width: 1080, height: 1080, is_advice: true },
  meta_portrait: { width: 1080, height: 1350, is_advice: true },
  meta_story: { width: 1080, height: 1920, is_advice: true },
  tiktok: { width: 720, height: 1280, is_advice: true },
  ly: { width: 1200, height: 628, is_advice: true },
}

const ratioOff = ({ width, height }: { width: number; height: number }, ratio: number) =>
  width / height / ratio - 1

function missesOfSize(image: ImageFacts, { ratio, ...rule }: FormatRule): FormatMiss[] {
  const takesOneSize = ratio === undefined
  const sides = (['width', 'height'] as const).flatMap(kind => {
    const by = rule[kind] - image[kind]
    return by > 0 || (takesOneSize && by < 0)
      ? [{ kind, by, required: rule[kind], is_exact: takesOneSize }]
      : []
  })
  const by = takesOneSize ? 0 : ratioOff(image, ratio)
  return takesOneSize || Math.abs(by) <= RATIO_TOLERANCE
    ? sides
    : [...sides, { kind: 'ratio', by, required: ratio }]
}

function missesOfFile({ size, mime }: ImageFacts, { most_bytes: most, types }: FormatRule): FormatMiss[] {
  return [
    ...(most !== undefined && size > most ? [{ kind: 'size' as const, by: size - most, most }] : []),
    ...(types && !types.includes(mime) ? [{ kind: 'type' as const, allowed: types }] : []),
  ]
}

/** Another type of file is easily made, so that it is nearer than any pixels. */
const distance = ({ misses }: FormatVerdict, image: ImageFacts) =>
  misses.reduce((sum, miss) => sum + distanceOf(miss, image), 0)

function distanceOf(miss: FormatMiss, image: ImageFacts): number {
  if (miss.kind === 'type') return 0
  if (miss.kind === 'size') return miss.by / miss.most
  return miss.kind === 'ratio' ? Math.abs(miss.by) : Math.abs(miss.by) / image[miss.kind]
}
