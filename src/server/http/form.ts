import { refuse } from './refusal.ts'

/** More fields than any form of ours has. */
const MOST_PARTS = 20
/** The headers of a part, in bytes. */
const LONGEST_HEAD = 2000

/**
 * Reads multipart/form-data: texts as texts, files as `File`. Each name occurs once, texts are valid for the
 * database. The file's own name is ignored.
 */
export async function readForm(body: Buffer, contentType = ''): Promise<Record<string, string | File>> {
  const boundary = boundaryOf(contentType)
  if (boundary === undefined || isTooMuch(body, boundary)) throw refuse('invalid')
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` }
  const form = await new Response(new Uint8Array(body), { headers }).formData().catch(() => null)
  if (!form) throw refuse('invalid')
  const fields = [...form]
  const names = new Set(fields.map(([name]) => name))
  const hasNul = fields.some(([, value]) => typeof value === 'string' && value.includes('\0'))
  if (names.size < fields.length || hasNul) throw refuse('invalid')
  return Object.fromEntries(fields)
}

/** As every browser writes it, so that there is only one way to parse it. */
export const boundaryOf = (contentType = ''): string | undefined => BOUNDARY.exec(contentType)?.[1]

const BOUNDARY = /^multipart\/form-data; ?boundary="?([\w'()+,./:=?-]{1,70})"?$/i

/** Checked from its boundaries before it is parsed: each part and each line of its headers takes time. */
function isTooMuch(body: Buffer, boundary: string): boolean {
  const mark = `--${boundary}`
  for (let [at, parts] = [body.indexOf(mark), 0]; at >= 0; at = body.indexOf(mark, at + mark.length)) {
    if (++parts > MOST_PARTS) return true
    const head = body.subarray(at, at + mark.length + LONGEST_HEAD)
    const isLast = head.subarray(mark.length, mark.length + 2).toString() === '--'
    if (!isLast && !head.includes('\r\n\r\n')) return true
  }
  return false
}
