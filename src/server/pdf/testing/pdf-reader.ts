import { inflateSync } from 'node:zlib'

/** A text as it stands on a page; neighbours in two fonts are one. */
export interface PrintedText {
  text: string
  x: number
  /** From the lower edge of the page. */
  y: number
  size: number
  /** The font of each of its characters: F1. */
  fonts: string[]
}

export interface ReadPdf {
  pages: PrintedText[][]
  /** As a reader copies the texts, one a line. */
  text: string
  /** The names of the fonts that are embedded. */
  fonts: string[]
  images: number
  /** The file without what is packed in it. */
  source: string
}

/** Reads back what pdfkit writes: each text by the ToUnicode table of its font, as a reader copies it. */
export function readPdf(bytes: Buffer): ReadPdf {
  const objects = objectsOf(bytes)
  const pages = [...objects.values()]
    .filter(({ head }) => /\/Type \/Page\b/.test(head))
    .map(({ head }) => textsOf(objects, head))
  return {
    pages,
    text: pages.flatMap(page => page.map(({ text }) => text)).join('\n'),
    fonts: [...objects.values()].flatMap(({ head }) => /\/FontName \/\w+\+(\S+)/.exec(head)?.[1] ?? []),
    images: [...objects.values()].filter(({ head }) => /\/Subtype \/Image/.test(head)).length,
    source: [...objects.values()].map(({ head }) => head).join('\n'),
  }
}

interface PdfObject {
  head: string
  content: string
}

function objectsOf(bytes: Buffer): Map<string, PdfObject> {
  const file = bytes.toString('latin1')
  const table = file.lastIndexOf('xref\n', file.lastIndexOf('startxref') - 1)
  const offsets = [...file.slice(table).matchAll(/^(\d{10}) 00000 n/gm)].map(match => Number(match[1]))
  return new Map(offsets.map(offset => objectAt(file, offset)))
}

function objectAt(file: string, offset: number): [string, PdfObject] {
  const [, id = ''] = /^(\d+) 0 obj/.exec(file.slice(offset, offset + 20)) ?? []
  const end = file.indexOf('endobj', offset)
  const start = file.indexOf('\nstream\n', offset)
  if (start < 0 || start > end) return [id, { head: file.slice(offset, end), content: '' }]
  const head = file.slice(offset, start)
  const length = Number(/\/Length (\d+)/.exec(head)?.[1])
  const packed = Buffer.from(file.slice(start + 8, start + 8 + length), 'latin1')
  const isPacked = head.includes('/FlateDecode') && !head.includes('/Image')
  return [id, { head, content: isPacked ? inflateSync(packed).toString('latin1') : '' }]
}

function textsOf(objects: Map<string, PdfObject>, page: string): PrintedText[] {
  const refer = (text: string, name: string) =>
    objects.get(new RegExp(`/${name} (\\d+) 0 R`).exec(text)?.[1] ?? '') ?? { head: '', content: '' }
  const resources = refer(page, 'Resources').head
  const letters = new Map<string, Map<string, string>>()
  const texts: PrintedText[] = []
  const writing = /1 0 0 1 (\S+) (\S+) Tm\n\/(F\d+) (\S+) Tf\n(?:\S+ Tz\n)?((?:\[.*\] TJ\n)+)/g
  for (const [, x, y, font = '', size, commands = ''] of refer(page, 'Contents').content.matchAll(writing)) {
    const table = letters.get(font) ?? unicodeOf(refer(refer(resources, font).head, 'ToUnicode').content)
    letters.set(font, table)
    const codes = [...commands.matchAll(/<([0-9a-f]+)>/g)].flatMap(match => match[1]?.match(/.{4}/g) ?? [])
    const characters = codes.map(code => table.get(code) ?? '\0')
    add(texts, {
      text: characters.join(''),
      x: Number(x),
      y: Number(y),
      size: Number(size),
      fonts: characters.map(() => font),
    })
  }
  return texts
}

function add(texts: PrintedText[], next: PrintedText) {
  const last = texts.at(-1)
  if (last && last.y === next.y && last.size === next.size && last.fonts.at(-1) !== next.fonts[0]) {
    last.text += next.text
    last.fonts.push(...next.fonts)
  } else texts.push(next)
}

/** From codes of two bytes to characters. */
function unicodeOf(table: string): Map<string, string> {
  const letters = new Map<string, string>()
  for (const [, first = '', , list = ''] of table.matchAll(/<(\w{4})> <(\w{4})> \[(.*?)\]/g))
    for (const [index, [, hex = '']] of [...list.matchAll(/<([\w ]*)>/g)].entries()) {
      const code = (Number.parseInt(first, 16) + index).toString(16).padStart(4, '0')
      letters.set(code, Buffer.from(hex.replaceAll(' ', ''), 'hex').swap16().toString('utf16le'))
    }
  return letters
}
