import { invalid, notOneOf } from './errors.ts'
import { isRecord } from '#sandbox/record.ts'
import type { Parameters } from './parameters.ts'

/** One page of a list, with TikTok's page information. */
export function pageOf<Item>(items: readonly Item[], { page, page_size }: Position) {
  return {
    list: items.slice((page - 1) * page_size, page * page_size),
    page_info: {
      page,
      page_size,
      total_number: items.length,
      total_page: Math.ceil(items.length / page_size),
    },
  }
}

export interface Position {
  page: number
  page_size: number
}

export const positionOf = (parameters: Parameters, most: number): Position => ({
  page: parameters.whole('page', { usual: 1, most: 100_000 }),
  page_size: parameters.whole('page_size', { usual: 10, most }),
})

/** The requested fields of an item; all by default. Refuses a field that such items do not have. */
export function project(
  item: Record<string, unknown>,
  fields: readonly string[] | null,
): Record<string, unknown> {
  if (!fields) return item
  const unknown = fields.filter(name => !Object.hasOwn(item, name))
  if (unknown.length > 0) throw notOneOf('fields', unknown, Object.keys(item))
  return Object.fromEntries(fields.map(name => [name, item[name]]))
}

/** The filters of a list of entities: an object here, not an array as in reports. */
export function filteringOf(parameters: Parameters, known: readonly string[]): Record<string, unknown> {
  const filtering = parameters.json('filtering') ?? {}
  if (!isRecord(filtering)) throw invalid('filtering: Not a valid object.')
  const unknown = Object.keys(filtering).filter(name => !known.includes(name))
  if (unknown.length > 0) throw notOneOf('filtering', unknown, known)
  return filtering
}
