import type { DrawnPage, PageRequest } from '#shared/drawn-page.ts'

// What the thread that draws pages and its process tell each other.

/** A read of the API for the person whose page is drawn. */
export interface ApiRead {
  /** With its query. */
  path: string
  headers: Record<string, string>
}

export interface ApiReply {
  status: number
  headers: Record<string, string>
  body: string
}

export type ToThread =
  | { kind: 'draw'; id: number; page: PageRequest }
  /** Whatever is still missing comes too late. */
  | { kind: 'enough'; id: number }
  /** null: it could not be read. */
  | { kind: 'read'; id: number; reply: ApiReply | null }

export type FromThread =
  /** The interface is loaded. */
  | { kind: 'ready' }
  /** null: the browser draws it. */
  | { kind: 'drawn'; id: number; drawn: DrawnPage | null; problem?: string }
  | { kind: 'read'; id: number; page: number; read: ApiRead }
