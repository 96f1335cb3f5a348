import sharp, { type Sharp, type SharpOptions } from 'sharp'
import { imageTypeOf, MOST_IMAGE_PIXELS, type ImageType } from '#shared/images.ts'
import type { FitBox } from '#shared/materials/format-verdicts.ts'
import { readContainer } from './containers/container.ts'
import type { Picture, PictureProblem, Pictures } from './pictures.ts'

/**
 * Decodes pictures by libvips, in threads of its own; how many at once is decided by request-limits.ts. Only
 * the four decoders that are needed can be reached at all.
 */
export function openDecoder(): Pictures {
  sharp.cache(false)
  sharp.concurrency(1)
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({
    operation: ['Png', 'Jpeg', 'NsgifBuffer', 'Webp'].map(name => `VipsForeignLoad${name}`),
  })
  return {
    read: bytes => orProblem(() => readPicture(bytes)),
    cut: (picture, to) => orProblem(() => cutPicture(picture, to)),
  }
}

async function readPicture(bytes: Uint8Array): Promise<Picture | PictureProblem> {
  const mime = imageTypeOf(bytes)
  if (!mime) return 'image_type'
  const container = readContainer(bytes, mime)
  if (!container) return 'image_damaged'
  const { width, height, frames, parts } = container
  // Every picture of an animation: a browser decodes them all.
  if (width * height * frames > MOST_IMAGE_PIXELS) return 'image_too_large'
  const moves = frames > 1
  const turned = moves ? null : await turnedUpright(bytes, mime)
  const content = turned ?? Buffer.concat(parts)
  // Decodes all of it: what cannot be is damaged. Of an animated PNG the first picture is.
  if (moves) await open(content, { animated: true }).resize({ width: 16 }).raw().toBuffer()
  return { mime, is_animated: moves, content, ...(await previewed(turned ? bytes : content)) }
}

/** null: it is upright. An animation has no orientation: no browser would follow one. */
async function turnedUpright(bytes: Uint8Array, mime: ImageType): Promise<Uint8Array | null> {
  const { orientation = 1, chromaSubsampling = '4:2:0', isProgressive = false } = await open(bytes).metadata()
  if (orientation <= 1) return null
  return await encoded(open(bytes).autoOrient(), mime, { chromaSubsampling, progressive: isProgressive })
}

/** Of an animation the first picture. */
async function previewed(bytes: Uint8Array): Promise<Pick<Picture, 'width' | 'height' | 'previews'>> {
  const { autoOrient: size } = await open(bytes).metadata()
  const large = await inside(open(bytes).autoOrient(), 1280).raw().toBuffer({ resolveWithObject: true })
  const preview = () => sharp(large.data, { raw: large.info }).timeout({ seconds: MOST_SECONDS })
  return {
    ...size,
    previews: {
      320: await inside(preview(), 320).webp({ quality: 80 }).toBuffer(),
      1280: await preview().webp({ quality: 80 }).toBuffer(),
    },
  }
}

const inside = (picture: Sharp, side: number) =>
  picture.resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })

async function cutPicture(
  { mime, content, is_animated }: Pick<Picture, 'mime' | 'content' | 'is_animated'>,
  { box: { to, ...part }, types }: { box: FitBox; types: readonly ImageType[] },
): Promise<Picture | PictureProblem> {
  const type = types.includes(mime) ? mime : await stillTypeOf(content)
  // What libvips reads as a still picture; a still type has no animation.
  const animated = is_animated && type === mime && mime !== 'image/png'
  const cut = open(content, { animated })
    .extract(part)
    .resize({ ...to, fit: 'fill' })
  return await readPicture(await encoded(cut, type))
}

/** PNG has no losses but is large for a photograph, JPEG has no transparency. */
async function stillTypeOf(content: Uint8Array): Promise<ImageType> {
  const { hasAlpha, format } = await open(content).metadata()
  return hasAlpha || format === 'gif' ? 'image/png' : 'image/jpeg'
}

const open = (bytes: Uint8Array, options: SharpOptions = {}) => {
  // Cameras write JPEGs that decoders warn of and every browser shows; containers/jpeg.ts finds where one
  // breaks off.
  const failOn = imageTypeOf(bytes) === 'image/jpeg' ? 'error' : 'warning'
  const limited = { failOn, limitInputPixels: MOST_IMAGE_PIXELS, ...options } as const
  return sharp(bytes, limited).timeout({ seconds: MOST_SECONDS })
}

/** A busy machine takes a second for the largest. */
const MOST_SECONDS = 30

/** Without metadata but the colour profile. */
async function encoded(
  picture: Sharp,
  mime: ImageType,
  jpeg: { chromaSubsampling?: string; progressive?: boolean } = {},
): Promise<Uint8Array> {
  const output = picture.keepIccProfile()
  if (mime === 'image/jpeg') return await output.jpeg({ quality: 90, ...jpeg }).toBuffer()
  if (mime === 'image/webp') return await output.webp({ quality: 90 }).toBuffer()
  return await (mime === 'image/gif' ? output.gif() : output.png()).toBuffer()
}

/** The decoder's own words are those of many libraries; that it cannot, is all that is of use. */
async function orProblem(work: () => Promise<Picture | PictureProblem>): Promise<Picture | PictureProblem> {
  try {
    return await work()
  } catch (error) {
    const { message } = error instanceof Error ? error : new Error()
    if (message.startsWith('timeout')) return 'overloaded'
    return message.includes('pixel limit') ? 'image_too_large' : 'image_damaged'
  }
}
