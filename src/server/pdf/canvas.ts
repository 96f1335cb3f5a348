import { createHash } from 'node:crypto'
import PdfFile from 'pdfkit'
import type { PdfDocument } from './document.ts'
import { breakLines, cutLine, oneLine, type Line } from './lines.ts'
import { isLogo } from './logo.ts'
import { printable } from './printable.ts'
import { BOX_WIDTH, type TypefaceName, type Typefaces } from './typefaces.ts'

/** Points; A4. */
export const PAGE = { width: 595.28, height: 841.89 }
export const LEFT = 54
export const RIGHT = PAGE.width - LEFT
const WATERMARK = '#eceef1'

export interface TextStyle {
  /** Points. */
  size: number
  colour: string
}

/** Text and rules on the pages of one file, by their places. */
export interface Canvas {
  /** The lines of a text within a width. */
  wrap(text: string, style: TextStyle, width: number): Line[]
  /** On one line, cut where it is wider than the width. */
  fit(text: string, style: TextStyle, width: number): Line
  widthOf(text: string, style: TextStyle): number
  /** At the left of `x`, or ending there; `y` is the base line. */
  write(line: Line, style: TextStyle, at: { x: number; y: number; align?: 'left' | 'right' }): void
  rule(at: { from: number; to: number; y: number }, style: { colour: string; width: number }): void
  /** A picture, no larger than this; null when it is none. */
  picture(bytes: Uint8Array, most: { width: number; height: number }): Picture | null
  addPage(): void
  /** Once, after everything else, on each page. */
  onEachPage(write: (page: number, pages: number) => void): number
  /** Characters that were written as ▯. */
  missing: ReadonlySet<string>
  end(): Promise<Buffer>
}

export interface Picture {
  height: number
  draw(x: number, y: number): void
}

export function openCanvas(document: PdfDocument, typefaces: Typefaces): Canvas {
  const file = openFile(document)
  const registered = new Set<TypefaceName>()
  const missing = new Set<string>()

  /** Fonts that a document does not use are not in its file. */
  function use(typeface: TypefaceName) {
    if (!registered.has(typeface)) file.registerFont(typeface, typefaces.font(typeface))
    registered.add(typeface)
    file.font(typeface)
  }

  function write(line: Line, style: TextStyle, { x, y, align = 'left' }: Parameters<Canvas['write']>[2]) {
    file.fillColor(style.colour).fontSize(style.size)
    let at = align === 'left' ? x : x - inPoints(line.width, style)
    for (const { text, typeface, width } of line.parts) {
      if (typeface === 'box') for (const character of text) missing.add(character)
      use(typeface)
      file.text(text, at, y, typeface === 'box' ? { ...TEXT, horizontalScaling: BOX_WIDTH } : TEXT)
      at += inPoints(width, style)
    }
  }

  return {
    wrap: (text, style, width) => breakLines(text, inThousandths(width, style), typefaces),
    fit: (text, style, width) => cutLine(text, inThousandths(width, style), typefaces),
    widthOf: (text, style) => inPoints(oneLine(text, typefaces).width, style),
    write,
    rule: ({ from, to, y }, { colour, width }) =>
      void file.strokeColor(colour).lineWidth(width).moveTo(from, y).lineTo(to, y).stroke(),
    picture: (bytes, most) => (isLogo(bytes) ? openPicture(file, bytes, most) : null),
    addPage() {
      file.addPage()
      if (document.watermark !== null) writeAcross(file, oneLine(document.watermark, typefaces), write)
    },
    onEachPage(each) {
      const { count } = file.bufferedPageRange()
      for (let page = 0; page < count; page += 1) {
        file.switchToPage(page)
        each(page + 1, count)
      }
      return count
    },
    missing,
    end: async () => await bytesOf(file),
  }
}

/** Nothing in the file depends on when or where it was made. */
function openFile(document: PdfDocument): PdfFile {
  const file = new PdfFile({
    size: [PAGE.width, PAGE.height],
    margin: 0,
    font: null,
    autoFirstPage: false,
    bufferPages: true,
    pdfVersion: '1.7',
    lang: document.language,
    displayTitle: true,
    info: {
      Title: oneParagraph([document.heading, document.number ?? '', document.title.value].join(' ')),
      Author: oneParagraph(document.issuer.name),
      Creator: 'Sheetcast',
      Producer: 'Sheetcast',
      CreationDate: new Date(`${document.issue_on}T00:00:00Z`),
    },
  })
  file._id = idOf(document)
  // The same again as XML, into which pdfkit writes & and < as they are.
  file.endMetadata = () => {}
  return file
}

const oneParagraph = (text: string) => printable(text).replaceAll(/\s+/g, ' ').trim()

/** A half of the file's ID, by which readers tell files apart: of what is printed. */
function idOf({ issuer: { logo, ...issuer }, ...document }: PdfDocument): Uint8Array {
  const digest = createHash('sha256').update(JSON.stringify({ ...document, issuer }))
  if (logo) digest.update(logo)
  return digest.digest().subarray(0, 16)
}

const TEXT = { lineBreak: false, baseline: 'alphabetic' } as const

function openPicture(
  file: PdfFile,
  bytes: Uint8Array,
  most: { width: number; height: number },
): Picture | null {
  const image = opened(file, bytes)
  if (image === null) return null
  const scale = Math.min(most.width / image.width, most.height / image.height)
  const [width, height] = [image.width * scale, image.height * scale]
  return { height, draw: (x, y) => void file.image(image, x, y, { width, height }) }
}

/** Null: pdfkit cannot read a part of it that isLogo does not look at, such as how a camera was held. */
function opened(file: PdfFile, bytes: Uint8Array) {
  try {
    return file.openImage(bytes)
  } catch {
    return null
  }
}

/** Behind what follows, from corner to corner. */
function writeAcross(file: PdfFile, line: Line, write: Canvas['write']) {
  const middle: [number, number] = [PAGE.width / 2, PAGE.height / 2]
  const size = Math.min(MOST_WATERMARK, inThousandths(PAGE.width, { size: 1 }) / line.width)
  const style = { size, colour: WATERMARK }
  file.save().rotate(-WATERMARK_DEGREES, { origin: middle })
  write(line, style, {
    x: middle[0] - inPoints(line.width, style) / 2,
    y: middle[1] + size * MIDDLE_OF_LETTERS,
  })
  file.restore()
}

async function bytesOf(file: PdfFile): Promise<Buffer> {
  file.end()
  return Buffer.concat(await file.toArray())
}

export const inPoints = (thousandths: number, { size }: { size: number }) => (thousandths * size) / 1000
const inThousandths = (points: number, { size }: { size: number }) => (points * 1000) / size

const MOST_WATERMARK = 150
const WATERMARK_DEGREES = 36
const MIDDLE_OF_LETTERS = 0.36
