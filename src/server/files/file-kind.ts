import { open } from 'node:fs/promises'
import { fileTypeFromFile } from 'file-type'
import { endingOf, isOfProgram, nameOfKind } from './file-name.ts'
import { isScript } from './script-text.ts'

/** What a file is, by its content; and what it may be called. */
export interface FileKind {
  mime: string
  /** The name that was asked for, with an ending that is not of another kind. */
  name: string
}

/**
 * file_type: it is a program or a script, or something unknown that is called like one. Files are only ever
 * downloaded; this keeps them from being run there.
 */
export async function kindOfFile(path: string, name: string): Promise<FileKind | 'file_type'> {
  const found = await fileTypeFromFile(path, { maxBufferSize: MOST_PROBED }).catch(() => undefined)
  if (
    found &&
    (programs.has(found.mime) || (found.mime === 'application/x-cfb' && (await isInstaller(path))))
  )
    return 'file_type'
  if (found && found.mime !== 'application/xml')
    return { mime: found.mime, name: nameOfKind(name, { mime: found.mime, ending: found.ext }) ?? name }
  const text = textOf(await bytesAt(path, 0, HEAD))
  if (isOfProgram(name) || (text !== null && isScript(text))) return 'file_type'
  return { mime: found?.mime ?? mimeOfText(text, name), name }
}

/** Of a file's head, which is enough for what browsers and systems recognise. */
const HEAD = 64 * 1024
/** For a file that says it has a part of gigabytes. */
const MOST_PROBED = 1024 * 1024

const programs = new Set([
  'application/x-msdownload',
  'application/x-elf',
  'application/x-mach-binary',
  'application/java-archive',
  'application/java-vm',
  'application/vnd.android.package-archive',
  'application/x-deb',
  'application/x-rpm',
  'application/x-shockwave-flash',
  'application/wasm',
  'application/x-xpinstall',
  'application/x-google-chrome-extension',
  'application/x-ms-shortcut',
  'application/x-ft-apple.alias',
  'application/x-ms-regedit',
  'application/vnd.ms-htmlhelp',
])

/**
 * Word, Excel and Windows Installer share a container; the class of its root says whose it is ([MS-CFB] 2.6).
 * One without a root is nothing that could be opened.
 */
async function isInstaller(path: string): Promise<boolean> {
  const head = await bytesAt(path, 0, 512)
  if (head.length < 512) return true
  const root = (head.readUInt32LE(48) + 1) * 2 ** Math.min(16, head.readUInt16LE(30))
  const classId = (await bytesAt(path, root + 80, 16)).toString('hex')
  return classId.length < 32 || /^8[246]100c0000000000c000000000000046$/.test(classId)
}

/** null: no text. By its mark, or as UTF-8; what is of an older encoding keeps its Latin letters. */
function textOf(head: Buffer): string | null {
  const [first, second] = head
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
  const text = new TextDecoder(encoding).decode(head)
  return CONTROL.test(text) ? null : text
}

const CONTROL = /(?![\t\n\f\r])\p{Cc}/u

function mimeOfText(text: string | null, name: string): string {
  if (text === null) return 'application/octet-stream'
  return endingOf(name) === 'csv' || isTable(text) ? 'text/csv' : 'text/plain'
}

/** Its first lines have as many commas, or tabs, each. */
function isTable(text: string): boolean {
  const lines = text.split(/\r?\n/, 6).slice(0, 5)
  return [',', '\t', ';'].some(separator => {
    const [first = 0, ...others] = lines.filter(line => line !== '').map(line => line.split(separator).length)
    return first > 1 && others.length > 0 && others.every(count => count === first)
  })
}

/** As many as there are. */
async function bytesAt(path: string, start: number, most: number): Promise<Buffer> {
  const handle = await open(path)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(most), 0, most, start)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}
