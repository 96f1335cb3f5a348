/** The changes of a record, by field; fields within fields have their path, as in `channels.0.label`. */
export type ChangedFields = Record<string, Changed>

/** Of a list: what was removed, what was added, and how much of it stayed. */
interface Changed {
  from: unknown
  to: unknown
  kept?: number
}

/**
 * From and to of each field that differs; a field that `after` does not have is not compared. `texts`: fields
 * of which the trail, which cannot be corrected, has only that they differ, and how many entries a list has.
 */
export function changedFields(before: object, after: object, texts: readonly string[] = []): ChangedFields {
  const old = new Map(Object.entries(before))
  const found = Object.entries(after).flatMap(([field, to]): FieldChanges => {
    const from: unknown = old.get(field) ?? null
    const changes = compare({ [field]: from }, { [field]: to }, '')
    if (!texts.includes(field) || to === undefined) return changes
    const sizes = { from: sizeOf(from), to: sizeOf(to) }
    if (changes.length === 0 && sizes.from === sizes.to) return []
    return sizes.from || sizes.to ? [[field, sizes]] : []
  })
  if (found.length <= MOST_FIELDS) return Object.fromEntries(found)
  return Object.fromEntries([
    ...found.slice(0, MOST_FIELDS),
    ['…', { from: null, to: found.length - MOST_FIELDS }],
  ])
}

/** A text is '…', whatever it says; a list or a group is as many as it has. */
function sizeOf(value: unknown): unknown {
  if (typeof value === 'string') return value && '…'
  if (isList(value)) return value.length
  return isGroup(value) ? Object.keys(value).length : value
}

// A line of the trail is read by people: what would not fit on a page is cut.
const MOST_FIELDS = 100
const MOST_ITEMS = 100
const LONGEST_TEXT = 500

type FieldChanges = readonly (readonly [path: string, changed: Changed])[]

function compare(before: object, after: object, under: string): FieldChanges {
  const old = new Map(Object.entries(before))
  return Object.entries(after).flatMap(([field, to]): FieldChanges => {
    if (to === undefined) return []
    const from: unknown = old.get(field) ?? null
    const path = under + field
    if (isList(from) && isList(to)) return compareLists(from, to, path)
    if (isGroup(from) && isGroup(to)) return compare(from, to, `${path}.`)
    return isSame(from, to) ? [] : [[path, { from: shortened(from), to: shortened(to) }]]
  })
}

/** Lists of groups index by index, lists of anything else by their elements. */
function compareLists(from: readonly unknown[], to: readonly unknown[], path: string): FieldChanges {
  if ([...from, ...to].some(isGroup)) {
    const length = Math.max(from.length, to.length)
    const at = (list: readonly unknown[]) =>
      Object.fromEntries(Array.from({ length: length }, (_, index) => [index, list[index] ?? null]))
    return compare(at(from), at(to), `${path}.`)
  }
  const removed = without(from, to)
  const added = without(to, from)
  if (removed.length + added.length > 0)
    return [[path, { from: shortened(removed), to: shortened(added), kept: from.length - removed.length }]]
  return isSame(from, to) ? [] : [[path, { from: shortened(from), to: shortened(to), kept: from.length }]]
}

function without(list: readonly unknown[], other: readonly unknown[]): unknown[] {
  const keys = new Set(other.map(item => JSON.stringify(item)))
  return list.filter(item => !keys.has(JSON.stringify(item)))
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)
const isGroup = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !isList(value) && !(value instanceof Date)
const isSame = (from: unknown, to: unknown) => JSON.stringify(from) === JSON.stringify(to)

function shortened(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length > LONGEST_TEXT ? `${value.slice(0, LONGEST_TEXT).toWellFormed()}…` : value
  if (isList(value)) {
    const items = value.slice(0, MOST_ITEMS).map(shortened)
    return value.length > MOST_ITEMS ? [...items, `… ${value.length - MOST_ITEMS}`] : items
  }
  if (isGroup(value))
    return Object.fromEntries(Object.entries(value).map(([field, inner]) => [field, shortened(inner)]))
  return value ?? null
}
