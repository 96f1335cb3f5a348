/** The part of pdfkit that is used; it has no types of its own. */
declare module 'pdfkit' {
  import type { Readable } from 'node:stream'
  import type { PrintedFont } from 'fontkit'

  interface Options {
    size: [number, number]
    margin: number
    font: null
    autoFirstPage?: boolean
    bufferPages?: boolean
    pdfVersion?: '1.7'
    lang?: string
    displayTitle?: boolean
    info?: Record<string, string | Date>
  }

  interface TextOptions {
    lineBreak: false
    baseline: 'alphabetic'
    horizontalScaling?: number
  }

  interface Image {
    width: number
    height: number
  }

  export default class PdfFile extends Readable {
    /** The two halves of the file's ID; made of `info` unless set before the end. */
    _id: Uint8Array
    /** Writes title and author as XML. */
    endMetadata: () => void
    constructor(options: Options)
    registerFont(name: string, font: PrintedFont): this
    font(font: string | PrintedFont): this
    fontSize(size: number): this
    fillColor(color: string): this
    strokeColor(color: string): this
    lineWidth(width: number): this
    text(text: string, x: number, y: number, options: TextOptions): this
    moveTo(x: number, y: number): this
    lineTo(x: number, y: number): this
    stroke(): this
    save(): this
    restore(): this
    rotate(degrees: number, options: { origin: [number, number] }): this
    openImage(bytes: Uint8Array): Image
    image(image: Image, x: number, y: number, options: { width: number; height: number }): this
    addPage(): this
    bufferedPageRange(): { start: number; count: number }
    switchToPage(index: number): this
    end(): void
  }
}
