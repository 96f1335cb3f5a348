import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import { LineError } from './errors.ts'

/** The parts of a request that a signature is checked against. */
export interface Signed {
  headers: IncomingHttpHeaders
  /** With /api, without the query. */
  path: string
  body: Buffer
  now: number
}

const Header = z.strictObject({ alg: z.literal('HS256'), kid: z.string(), typ: z.literal('text/plain') })
const MOST_CLOCK_SKEW = 15 * 60_000

/**
 * The access key that signed a request. The token is H.P.S, signed over H.P exactly as it was received, with
 * or without padding; P repeats the digest of the body, the content type, the UTC day and the path. Refuses
 * with 401.
 */
export function signerOf(
  { headers, path, body, now }: Signed,
  secretOf: (key: string) => string | null,
): string {
  const token = /^Bearer (([\w-]+=*)\.([\w-]+=*))\.([\w-]+=*)$/.exec(headers.authorization ?? '')
  const [, signed = '', head = '', payload = '', signature = ''] = token ?? []
  const { kid } = headerOf(head)
  const secret = secretOf(kid)
  if (secret === null) throw notSigned()
  const expected = createHmac('sha256', secret).update(signed).digest()
  const bytes = Buffer.from(signature, 'base64url')
  if (bytes.length !== expected.length || !timingSafeEqual(bytes, expected)) throw notSigned()

  const sent = Date.parse(headers.date ?? '')
  if (!RFC_1123.test(headers.date ?? '') || !(Math.abs(now - sent) <= MOST_CLOCK_SKEW)) throw notSigned()
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim() ?? ''
  const hasBody = body.length > 0
  const hashed = hasBody && type !== 'multipart/form-data' ? body : Buffer.alloc(0)
  const lines = [
    createHash('sha256').update(hashed).digest('hex'),
    hasBody ? type : '',
    new Date(sent).toISOString().slice(0, 10).replaceAll('-', ''),
    path,
  ]
  if (Buffer.from(payload, 'base64url').toString('utf8') !== lines.join('\n')) throw notSigned()
  return kid
}

const RFC_1123 = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/

function headerOf(text: string): z.infer<typeof Header> {
  try {
    return Header.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')))
  } catch {
    throw notSigned()
  }
}

const notSigned = () => new LineError(401, 'AUTHENTICATION_FAILED')
