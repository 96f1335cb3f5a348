import type { MetaFault } from '#sandbox/control/faults.ts'
import type { Dataset } from '#sandbox/dataset/dataset.ts'
import { invalid, tooMuchData } from '#sandbox/meta/errors.ts'
import type { GraphRequest } from '#sandbox/meta/graph.ts'
import { cursorOf, type Page, pageOf, positionOf } from '#sandbox/meta/paging.ts'
import { isRecord } from '#sandbox/record.ts'
import { REACH_FIELDS } from './fields.ts'
import type { Query } from './query.ts'
import { indexesOf, type NumberedRow, type Row, rowsOf, sizeOf } from './rows.ts'

/**
 * Rows, and days of ads to add up (a breakdown of four parts included): above these a synchronous request is
 * refused as too large.
 */
const SYNC_ROWS = 30_000
const SYNC_AD_DAYS = 600_000
/** A page is sent after this many objects and days were examined, at least four for every requested row. */
const LEAST_EXAMINED = 2000
const SORTED_ROWS = 200_000

/** One page of a synchronous response. */
export function syncPage(query: Query, request: GraphRequest): Page {
  if (query.needs_option && query.account.traits.includes('opt_in')) return { data: [] }
  const { rows, ad_days } = sizeOf(query, request.dataset)
  const effort = ad_days * Math.max(1, (query.parts?.length ?? 1) / 4)
  if (rows > SYNC_ROWS || effort > SYNC_AD_DAYS) throw tooMuchData()
  return page(query.rare_reach ? withoutReach(query) : query, request, query.text)
}

/** One page of a request, whose cursors belong to `text`. */
export function page(query: Query, request: GraphRequest, text: string): Page {
  const { parameters, dataset, link } = request
  const position = positionOf(
    {
      after: parameters.text('after'),
      before: parameters.text('before'),
      limit: parameters.integer('limit'),
    },
    text,
  )
  parameters.refuseUnknown()
  if (query.sort) return pageOf(sorted(query, dataset), position, { queryText: text, link })

  if (position.from < 0) return { data: [] }
  const total = indexesOf(query)
  const examined = Math.max(LEAST_EXAMINED, position.limit * 4)
  const end = position.back
    ? Math.max(-1, position.from - examined)
    : Math.min(total, position.from + examined)
  const found: NumberedRow[] = []
  for (const row of rowsOf(query, dataset, { ...position, end })) {
    found.push(row)
    if (found.length === position.limit) break
  }
  if (position.back) found.reverse()
  // Where the next page begins is known, whether there is any row left is not: a page may be short or empty
  // and still have a next one, and the last one may be empty.
  const full = found.length === position.limit
  const reached = position.back ? position.from : ((full ? found.at(-1)?.index : null) ?? end - 1)
  const begun = position.back ? ((full ? found[0]?.index : null) ?? end + 1) : position.from
  const before = cursorOf(begun, text)
  const after = cursorOf(reached, text)
  const more = reached < total - 1
  if (found.length === 0 && !more) return { data: [] }
  return {
    data: misplaced(found, { query, request, limit: position.limit }).map(({ row }) => row),
    paging: {
      cursors: { before, after },
      ...(more && { next: link({ after }) }),
      ...(begun > 0 && { previous: link({ before }) }),
    },
  }
}

/**
 * The effect of a fault on a page: the rows of the one before, or those of another order of the whole list.
 */
function misplaced(
  found: NumberedRow[],
  { query, request, limit }: { query: Query; request: GraphRequest; limit: number },
): NumberedRow[] {
  const struck = (action: MetaFault['action']) => request.faults.some(fault => fault.action === action)
  if (!struck('repeat_page') && !struck('reorder')) return found
  const all = [...rowsOf(query, request.dataset, { from: 0, end: indexesOf(query), back: false })]
  const at = all.findIndex(({ index }) => index === found[0]?.index)
  if (at < 0) return found
  if (struck('repeat_page')) return at === 0 ? found : all.slice(Math.max(0, at - limit), at)
  const turned = [...all.slice(all.length >> 1), ...all.slice(0, all.length >> 1)]
  return turned.slice(at, at + found.length)
}

const withoutReach = (query: Query): Query => ({
  ...query,
  fields: query.fields.filter(field => !REACH_FIELDS.has(field)),
})

function sorted(query: Query, dataset: Dataset): Row[] {
  const { sort } = query
  if (!sort) return []
  if (sizeOf(query, dataset).rows > SORTED_ROWS) throw invalid('Too many rows to sort')
  const valueOf = (row: Row): number | string => {
    const value = row[sort.field]
    const entry: unknown = Array.isArray(value)
      ? value.find(
          (each: unknown) =>
            isRecord(each) && each['action_type'] === (sort.action_type ?? each['action_type']),
        )
      : value
    const text = isRecord(entry) ? entry['value'] : entry
    if (typeof text !== 'string') return 0
    return text !== '' && Number.isFinite(Number(text)) ? Number(text) : text
  }
  const rows = [...rowsOf(query, dataset, { from: 0, end: indexesOf(query), back: false })].map(
    ({ row }) => row,
  )
  const sign = sort.descending ? -1 : 1
  return rows.toSorted((left, right) => {
    const [a, b] = [valueOf(left), valueOf(right)]
    return a === b ? 0 : a < b ? -sign : sign
  })
}
