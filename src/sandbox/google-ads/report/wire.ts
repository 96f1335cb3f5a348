import { hashOf } from '#sandbox/dataset/hash.ts'
import { ATTRIBUTES, resourceOf } from '#sandbox/google-ads/fields/attributes.ts'
import type { Field } from '#sandbox/google-ads/fields/catalogue.ts'
import { camelCase } from '#sandbox/google-ads/fields/field.ts'
import type { Query } from '#sandbox/google-ads/gaql/check.ts'
import { type Row, valueOf } from './rows.ts'

type Message = Record<string, unknown>

/** The selected fields as the mask that comes with every page. */
export const fieldMask = ({ select }: Query) => select.map(({ name }) => camelCase(name)).join()

/**
 * Writes rows of a query as JSON: nested by the parts of their fields' names, with the names of their
 * resources, requested or not.
 */
export function rowWriter(query: Query): (row: Row) => Message {
  const names = (query.omits_names ? [] : resourceNames(query)).map(name => ({
    path: pathOf(name),
    about: ATTRIBUTES.get(name),
  }))
  const fields = query.select.map(field => ({ field, path: pathOf(field.name) }))
  return row => {
    const message: Message = {}
    for (const { path, about } of names) put(message, path, about?.of(row.subject))
    const omitsZeros = (hashOf(keyOf(row)) & 3) === 0
    for (const { field, path } of fields) {
      const value = encoded(valueOf(row, field), field)
      if (field.category === 'METRIC' && omitsZeros && (value === 0 || value === '0')) continue
      put(message, path, value)
    }
    return message
  }
}

/** The metrics of all rows together. */
export function summaryMessage(summary: Row, { select }: Query): Message {
  const message: Message = {}
  for (const field of select) {
    if (field.category === 'METRIC') put(message, pathOf(field.name), encoded(valueOf(summary, field), field))
  }
  return message
}

/** Some rows leave out what is zero: always the same ones. */
const keyOf = ({ subject, slice, label, action }: Row) =>
  [
    subject.campaign?.id,
    subject.ad_set?.id,
    subject.ad?.id,
    subject.keyword?.id,
    label.device,
    action?.id,
    ...Object.values(slice?.values ?? {}),
  ].join()

function resourceNames({ resource, select }: Query): string[] {
  const attributes = select.filter(({ category }) => category === 'ATTRIBUTE').map(({ name }) => name)
  const resources = new Set([resource, ...attributes.map(resourceOf)])
  return [
    ...[...resources].map(name => `${name}.resource_name`),
    ...(attributes.some(name => name.startsWith('ad_group_ad.ad.')) ? ['ad_group_ad.ad.resource_name'] : []),
  ]
}

/** 64 bits as text, doubles as numbers, and what JSON has no number for as text. */
function encoded(value: unknown, { type }: Field): unknown {
  if (typeof value !== 'number') return value
  if (type === 'INT64') return String(Math.round(value))
  return Number.isFinite(value) ? value : String(value)
}

const pathOf = (name: string) => camelCase(name).split('.')

function put(message: Message, path: readonly string[], value: unknown): void {
  if (value === undefined) return
  let at = message
  for (let index = 0; index < path.length - 1; index++) {
    const part = path[index] ?? ''
    const inner = at[part]
    const next = typeof inner === 'object' && inner !== null ? (inner as Message) : {}
    at[part] = next
    at = next
  }
  at[path.at(-1) ?? ''] = value
}
