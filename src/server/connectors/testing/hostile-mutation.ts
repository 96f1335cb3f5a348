import type { WireResponse, Replacement } from './hostile.ts'

/** One changed response. */
export interface Mutation {
  name: string
  /** What was done to the response, and where in it. */
  kind: string
  place: string
  /** Made when it is sent: most never are. */
  replacement: () => Replacement
  /** Sent once only: the same request again gets the true response. */
  once?: boolean
}

export const mutation = (kind: string, replacement: () => Replacement, place = ''): Mutation => ({
  name: place === '' ? kind : `${kind} at ${place}`,
  kind,
  place,
  replacement,
})

export const responseWith = (
  { headers }: WireResponse,
  body: Buffer | string,
  status = 200,
): WireResponse => ({
  status,
  headers,
  body: Buffer.from(body),
})

export const HTML = '<!doctype html><html><body>One moment, please.</body></html>'
