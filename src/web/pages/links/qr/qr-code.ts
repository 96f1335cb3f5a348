import { encodeQR } from 'qr'

/** Modules that stay white on each side; with fewer, cameras miss the code. */
export const QUIET_ZONE = 4
/** Pixels of the image, across. */
export const PNG_SIZE = 1024
/** At the distance from which people hold a phone to paper, a module needs this much. */
const MODULE_MM = 0.4

const options = { ecc: 'medium', border: QUIET_ZONE } as const

export interface QrCode {
  /** Rows of modules with the quiet zone; true: black. */
  modules: readonly (readonly boolean[])[]
  /** How many of them are across. */
  size: number
  /** 1 to 40. */
  version: number
  svg: string
  /** The least width in print. */
  least_mm: number
}

export function qrCodeOf(text: string): QrCode {
  const modules = encodeQR(text, 'raw', options)
  const size = modules.length
  return {
    modules,
    size,
    version: (size - 2 * QUIET_ZONE - 17) / 4,
    svg: onWhite(encodeQR(text, 'svg', options), size),
    least_mm: Math.ceil(size * MODULE_MM),
  }
}

/** The quiet zone is white on any paper and page, and no edge is blurred. */
const onWhite = (svg: string, size: number) =>
  svg
    .replace('<svg ', '<svg shape-rendering="crispEdges" ')
    .replace('<path ', `<rect width="${size}" height="${size}" fill="#fff"/><path `)

export const svgAddress = (svg: string) => `data:image/svg+xml,${encodeURIComponent(svg)}`

/**
 * Each module is as many whole pixels as fit, so that its edges are sharp; what is left makes the quiet zone
 * wider.
 */
export function pngLayout(size: number) {
  const scale = Math.floor(PNG_SIZE / size)
  return { scale, margin: Math.floor((PNG_SIZE - scale * size) / 2) }
}

/** null: the browser draws no images. */
export async function pngOf({ modules, size }: QrCode): Promise<Blob | null> {
  const canvas = document.createElement('canvas')
  canvas.width = PNG_SIZE
  canvas.height = PNG_SIZE
  const pen = canvas.getContext('2d')
  if (!pen) return null
  const { scale, margin } = pngLayout(size)
  pen.fillStyle = '#fff'
  pen.fillRect(0, 0, PNG_SIZE, PNG_SIZE)
  pen.fillStyle = '#000'
  for (const [y, row] of modules.entries())
    for (const [x, isBlack] of row.entries())
      if (isBlack) pen.fillRect(margin + x * scale, margin + y * scale, scale, scale)
  return await new Promise(resolve => canvas.toBlob(resolve, 'image/png'))
}
