import { GraphError, invalid } from './errors.ts'
import { hashOf } from '#sandbox/dataset/hash.ts'

const MAX_LIMIT = 5000

/** Where a page begins, for a request that is identified by its text. */
export interface Position {
  limit: number
  /** Index of the first item; the last one included when going back. */
  from: number
  back: boolean
}

export function positionOf(
  { after, before, limit }: { after: string | null; before: string | null; limit: number | null },
  queryText: string,
): Position {
  if (limit === 0 || (limit ?? 0) > MAX_LIMIT) throw invalid(`Param limit must be between 1 and ${MAX_LIMIT}`)
  const size = limit ?? 25
  if (after !== null) return { limit: size, from: indexOf(after, queryText) + 1, back: false }
  if (before !== null) return { limit: size, from: indexOf(before, queryText) - 1, back: true }
  return { limit: size, from: 0, back: false }
}

/** The cursor of an item: invalid for any other request. */
export const cursorOf = (index: number, queryText: string) =>
  Buffer.from(`${(hashOf(queryText) >>> 0).toString(36)}:${index}`).toString('base64url')

function indexOf(cursor: string, queryText: string): number {
  const [mark, index] = Buffer.from(cursor, 'base64url').toString('utf8').split(':')
  if (mark !== (hashOf(queryText) >>> 0).toString(36) || index === undefined || !/^\d+$/.test(index)) {
    throw new GraphError(400, 2642, 'Invalid cursors values')
  }
  return Number(index)
}

export interface Page {
  data: unknown[]
  paging?: { cursors: { before: string; after: string }; next?: string; previous?: string }
}

/** One page of a list that is there as a whole. */
export function pageOf(
  items: unknown[],
  position: Position,
  { queryText, link }: { queryText: string; link: (cursor: Record<string, string>) => string },
): Page {
  const from = position.back ? Math.max(0, position.from - position.limit + 1) : position.from
  const to = position.back ? position.from + 1 : from + position.limit
  const data = items.slice(from, to)
  if (data.length === 0) return { data }
  const before = cursorOf(from, queryText)
  const after = cursorOf(from + data.length - 1, queryText)
  return {
    data,
    paging: {
      cursors: { before, after },
      ...(from + data.length < items.length && { next: link({ after }) }),
      ...(from > 0 && { previous: link({ before }) }),
    },
  }
}
