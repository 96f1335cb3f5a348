import type { Book } from './book.ts'
import type { Mask } from './fields-mask.ts'
import type { JournalEntry } from './journal.ts'
import type { QuotaSizes } from './quota.ts'
import type { Store } from './store.ts'
import type { HttpResponse } from './wire.ts'
import type { Work } from './work.ts'
import type { Caller } from '#sandbox/oauth/caller.ts'

/** What the whole service shares. */
export interface Service {
  store: Store
  clock: () => Date
  origin: () => string
  /** Addresses of the service accounts that are known here. */
  system_users: readonly string[]
  quota: { take(kind: 'read' | 'write', caller: Caller): void; get(): QuotaSizes }
  cell_limit: () => number
  journal: (entry: Omit<JournalEntry, 'sequence' | 'at'>) => void
}

/** A request that passed all checks up to its body. */
export interface Call {
  service: Service
  caller: Caller
  book: Book
  params: string[]
  query: URLSearchParams
  mask: Mask | null
  /** The body as the named message; 400 when it is none. */
  body: <T>(message: string) => T
  /** Change the book in one transaction, all or nothing. */
  change: <T>(changes: string[], run: (work: Work) => T) => T
}

export interface Endpoint {
  method: string
  path: RegExp
  /** What it needs: of the file, and of which quota it is counted. */
  needs: 'read' | 'write' | 'nothing'
  counts: 'read' | 'write'
  scopes: string[]
  /** Names of its own query parameters. */
  query: string[]
  /** The message of its response, which field masks are checked against. */
  reply: string
  run: (call: Call) => object | HttpResponse
}

export const READ_SCOPES = ['spreadsheets', 'spreadsheets.readonly', 'drive', 'drive.readonly', 'drive.file']
export const WRITE_SCOPES = ['spreadsheets', 'drive', 'drive.file']
