import type { sheets_v4 } from '@googleapis/sheets'
import { invalid, notSupported, Refusal } from '#sandbox/sheets/errors.ts'
import type { Work } from '#sandbox/sheets/work.ts'
import { appendCells, repeatCell, updateCells } from './cells.ts'
import { copyPaste } from './copy-paste.ts'
import { appendDimension, autoResizeDimensions, updateDimensionProperties } from './dimensions.ts'
import { clearBasicFilter, setBasicFilter } from './filters.ts'
import { deleteDimension, insertDimension } from './insert-delete.ts'
import { mergeCells, unmergeCells } from './merges.ts'
import { createDeveloperMetadata, deleteDeveloperMetadata, updateDeveloperMetadata } from './metadata.ts'
import { addNamedRange, deleteNamedRange, updateNamedRange } from './named-ranges.ts'
import { addProtectedRange, deleteProtectedRange, updateProtectedRange } from './protected-ranges.ts'
import {
  addSheet,
  deleteSheet,
  duplicateSheet,
  updateSheetProperties,
  updateSpreadsheetProperties,
} from './sheets.ts'

type Reply = sheets_v4.Schema$Response
type Requests = sheets_v4.Schema$Request

const MOST_REQUESTS = 100_000

/** The implementation of a kind: changes the book, and returns the content of its reply. */
type Kinds = { [Kind in keyof Requests]?: (work: Work, request: NonNullable<Requests[Kind]>) => Reply | void }

const kinds = {
  addNamedRange,
  addProtectedRange,
  addSheet,
  appendCells,
  appendDimension,
  autoResizeDimensions,
  clearBasicFilter,
  copyPaste,
  createDeveloperMetadata,
  deleteDeveloperMetadata,
  deleteDimension,
  deleteNamedRange,
  deleteProtectedRange,
  deleteSheet,
  duplicateSheet,
  insertDimension,
  mergeCells,
  repeatCell,
  setBasicFilter,
  unmergeCells,
  updateCells,
  updateDeveloperMetadata,
  updateDimensionProperties,
  updateNamedRange,
  updateProtectedRange,
  updateSheetProperties,
  updateSpreadsheetProperties,
} satisfies Kinds

/** Carry out all requests in order; the first that is refused throws, with its index in the message. */
export function applyRequests(work: Work, requests: Requests[]): Reply[] {
  if (requests.length === 0) throw invalid('Must specify at least one request.')
  if (requests.length > MOST_REQUESTS)
    throw invalid(`Cannot exceed ${MOST_REQUESTS} requests in a single batch.`)
  return requests.map((request, i) => {
    const [kind, ...more] = Object.keys(request)
    if (!kind) throw invalid(`Invalid requests[${i}]: No request set.`)
    if (more.length > 0) throw invalid(`Invalid requests[${i}]: Only one request kind may be set.`)
    return prefixed(`Invalid requests[${i}].${kind}: `, () => applyOne(work, kind, request)) ?? {}
  })
}

function applyOne(work: Work, kind: string, request: Requests): Reply | void {
  if (!isKind(kind)) throw notSupported(kind)
  // The table pairs each kind with a function of its own request, which indexing by a union cannot express.
  const run = kinds[kind] as (work: Work, request: unknown) => Reply | void
  return run(work, request[kind])
}

const isKind = (kind: string): kind is keyof typeof kinds => Object.hasOwn(kinds, kind)

/** Put a prefix before the message of a 400. */
export function prefixed<T>(prefix: string, run: () => T): T {
  try {
    return run()
  } catch (error) {
    if (
      error instanceof Refusal &&
      error.status === 'INVALID_ARGUMENT' &&
      !error.message.startsWith('Invalid requests[')
    ) {
      throw new Refusal(error.code, error.status, `${prefix}${error.message}`, error.details)
    }
    throw error
  }
}
