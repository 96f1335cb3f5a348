import { createHash, createHmac } from 'node:crypto'

/** What a signature speaks for. Method and query are not part of it. */
export interface Signed {
  /** With /api, without the query. */
  path: string
  /** The very text that goes out; left out without a body. */
  body?: string
  /** A form goes out: the signature names it and speaks for nothing in it. */
  is_form?: boolean
  now: Date
}

/**
 * The headers of a signed request. The token is H.P.S: who signs, what is signed, the signature over both.
 * Each part keeps its padding, as in LINE's own sample.
 */
export function signed(
  { access_key, secret_key }: { access_key: string; secret_key: string },
  { path, body, is_form, now }: Signed,
): Record<'date' | 'authorization', string> {
  const digest = createHash('sha256')
    .update(body ?? '')
    .digest('hex')
  const day = now.toISOString().slice(0, 10).replaceAll('-', '')
  const head = encoded(JSON.stringify({ alg: 'HS256', kid: access_key, typ: 'text/plain' }))
  const type = is_form ? FORM_TYPE : body === undefined ? '' : JSON_TYPE
  const payload = encoded([digest, type, day, path].join('\n'))
  const signature = encoded(createHmac('sha256', secret_key).update(`${head}.${payload}`).digest())
  return { date: now.toUTCString(), authorization: `Bearer ${head}.${payload}.${signature}` }
}

/** The types of body that are sent; the signature repeats them. */
export const JSON_TYPE = 'application/json'
const FORM_TYPE = 'multipart/form-data'

const encoded = (bytes: Buffer | string) =>
  Buffer.from(bytes).toString('base64').replaceAll('+', '-').replaceAll('/', '_')
