import { crc32, deflateRawSync } from 'node:zlib'
import type { Field } from './field.ts'
import type { Language } from './labels.ts'
import type { Cell, Report } from './rows.ts'

/** How a report is written down. */
export interface Writing {
  format: 'CSV' | 'TSV' | 'XML'
  encode: 'UTF8' | 'SJIS' | 'UTF16LE'
  compress: 'NONE' | 'ZIP'
  language: Language
  skip_header: boolean
  skip_total: boolean
  full_decimals: boolean
  byte_order_mark: boolean
}

/** The bytes of a finished report. A report without rows is its header alone, without a total. */
export function fileOf({ rows, total }: Report, fields: readonly Field[], writing: Writing): Buffer {
  const lines = [...rows, ...(writing.skip_total || rows.length === 0 ? [] : [total])].map(row =>
    row.map((cell, index) => cellText(cell, fields[index], writing)),
  )
  const text = writing.format === 'XML' ? xmlOf(lines, fields) : tableOf(lines, fields, writing)
  const bytes = encoded(text, writing)
  return writing.compress === 'ZIP' ? zipped(`report.${writing.format.toLowerCase()}`, bytes) : bytes
}

function cellText(cell: Cell, field: Field | undefined, { full_decimals }: Writing): string {
  if (typeof cell !== 'number') return cell ?? ''
  if (field?.type !== 'DOUBLE') return String(cell)
  return full_decimals ? String(Number(cell.toFixed(10))) : String(Math.round(cell * 100) / 100)
}

function tableOf(lines: string[][], fields: readonly Field[], writing: Writing): string {
  const separator = writing.format === 'CSV' ? ',' : '\t'
  const header = fields.map(({ en, ja }) => (writing.language === 'EN' ? en : ja))
  return [...(writing.skip_header ? [] : [header]), ...lines]
    .map(line => `${line.map(text => quoted(text, separator)).join(separator)}\n`)
    .join('')
}

const quoted = (text: string, separator: string) =>
  text.includes(separator) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text

function xmlOf(lines: string[][], fields: readonly Field[]): string {
  const rows = lines.map(
    line => `<row ${line.map((text, index) => `${fields[index]?.xml}="${escaped(text)}"`).join(' ')}/>\n`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n<report>\n${rows.join('')}</report>\n`
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
}
const escaped = (text: string) => text.replaceAll(/[&<>"\n]/g, character => ENTITIES[character] ?? character)

function encoded(text: string, { encode, byte_order_mark }: Writing): Buffer {
  if (encode === 'SJIS') return shiftJis(text)
  return Buffer.from(byte_order_mark ? `\uFEFF${text}` : text, encode === 'UTF8' ? 'utf8' : 'utf16le')
}

let codes: Map<string, number[]> | null = null

/** Node decodes Shift JIS and does not encode it; what it lacks becomes a question mark. */
function shiftJis(text: string): Buffer {
  codes ??= shiftJisCodes()
  const bytes: number[] = []
  for (const character of text) bytes.push(...(codes.get(character) ?? [0x3f]))
  return Buffer.from(bytes)
}

function shiftJisCodes(): Map<string, number[]> {
  const decoder = new TextDecoder('shift_jis')
  const found = new Map<string, number[]>()
  const add = (...bytes: number[]) => {
    const character = decoder.decode(Uint8Array.from(bytes))
    if ([...character].length === 1 && character !== '\uFFFD' && !found.has(character))
      found.set(character, bytes)
  }
  for (let byte = 0; byte < 0x80; byte++) add(byte)
  for (let byte = 0xa1; byte < 0xe0; byte++) add(byte)
  for (let lead = 0x81; lead <= 0xfc; lead++) {
    if (lead >= 0xa0 && lead < 0xe0) continue
    for (let trail = 0x40; trail <= 0xfc; trail++) add(lead, trail)
  }
  return found
}

/** An archive of one file. */
function zipped(name: string, bytes: Buffer): Buffer {
  const packed = deflateRawSync(bytes)
  const title = Buffer.from(name)
  const shared = Buffer.alloc(26)
  shared.writeUInt16LE(20, 0)
  shared.writeUInt16LE(8, 4)
  shared.writeUInt16LE(0x21, 8)
  shared.writeUInt32LE(crc32(bytes), 10)
  shared.writeUInt32LE(packed.length, 14)
  shared.writeUInt32LE(bytes.length, 18)
  shared.writeUInt16LE(title.length, 22)
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), shared, title])
  const central = Buffer.concat([
    Buffer.from('PK\x01\x02'),
    Buffer.from([20, 0]),
    shared,
    Buffer.alloc(14),
    title,
  ])
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(local.length + packed.length, 16)
  return Buffer.concat([local, packed, central, end])
}
