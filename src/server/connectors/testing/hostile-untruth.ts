import type { Answer, Lie } from './hostile.ts'

/** One changed answer, in place of a true one. */
export interface Untruth {
  name: string
  /** What was done to the response, and where in it. */
  kind: string
  place: string
  /** Made when it is told: most never are. */
  lie: () => Lie
  /** Told once only: whoever asks again hears the truth. */
  once?: boolean
}

export const untruth = (kind: string, lie: () => Lie, place = ''): Untruth => ({
  name: place === '' ? kind : `${kind} at ${place}`,
  kind,
  place,
  lie,
})

export const answerWith = ({ headers }: Answer, body: Buffer | string, status = 200): Answer => ({
  status,
  headers,
  body: Buffer.from(body),
})

export const HTML = '<!doctype html><html><body>One moment, please.</body></html>'
