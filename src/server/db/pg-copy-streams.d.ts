declare module 'pg-copy-streams' {
  import type { Readable, Writable } from 'node:stream'
  import type { Submittable } from 'pg'

  /** COPY … TO STDOUT; `rowCount` is known at its end. */
  export function to(text: string): Readable & Submittable & { rowCount: number }
  /** COPY … FROM STDIN. */
  export function from(text: string): Writable & Submittable & { rowCount: number }
}
