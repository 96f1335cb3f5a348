import { createTextBuilder } from '#server/connectors/text-column.ts'
import { unreadable } from './failures.ts'
import { shapeAt, UNREADABLE, type NumberFormat, type ObjectShape, type Path, type Rows } from './rows.ts'

/**
 * Rows of parsed JSON, field by field: no schema per row, which would cost more than parsing it, but nothing
 * unchecked either. A field of another form than the shape says ends the fetch with its path, which begins
 * with `name`; it never becomes 0.
 */
export function jsonRows(data: readonly unknown[], shape: ObjectShape, name: string): Rows {
  const known = new Map<string, readonly Container[]>()
  const lists = new Map<string, Map<string, ListColumn>>()

  /** What stands at the path of an object or a list in each row; undefined where nothing does. */
  const containersAt = (path: Path): readonly Container[] => {
    const key = path.join('.')
    const containers = known.get(key) ?? checkedAt(path)
    known.set(key, containers)
    return containers
  }
  const checkedAt = (path: Path): Container[] => {
    const expected = shapeAt(shape, path)
    const length = expected?.kind === 'items' ? expected.items.length : null
    const values = path.length === 0 ? data : valuesAt(path)
    return values.map((value, row) => {
      if (path.length > 0 && (value === undefined || value === null)) return undefined
      if (length === null ? !isRecord(value) : !Array.isArray(value) || value.length !== length)
        throw unreadable(placeOf(name, row, path))
      return value as Exclude<Container, undefined>
    })
  }
  const valuesAt = (path: Path, isRequired = false): unknown[] => {
    const last = path.at(-1) ?? ''
    const parent = path.slice(0, -1)
    return containersAt(parent).map((container, row) => {
      if (container === undefined && isRequired) throw unreadable(placeOf(name, row, parent))
      return container?.[last]
    })
  }
  const readList = (path: Path) => {
    const list = shapeAt(shape, path)
    const formats =
      list?.kind === 'list' ? [...list.types].map(([type, leaf]) => [type, leaf.format] as const) : []
    return listColumns(valuesAt(path), new Map(formats), row => placeOf(name, row, path))
  }

  return {
    length: data.length,
    texts(path, { isGood = () => true, absent } = {}) {
      const column = createTextBuilder()
      for (const [row, value] of valuesAt(path).entries()) {
        const text = value ?? absent
        if (typeof text !== 'string' || !isGood(text)) throw unreadable(placeOf(name, row, path))
        column.push(text)
      }
      return column.column()
    },
    numbers: (path, { parse, isRequired = false }) =>
      Float64Array.from(valuesAt(path, isRequired), (value, row) => {
        const number = value === undefined && !isRequired ? Number.NaN : parse(value)
        if (number === UNREADABLE) throw unreadable(placeOf(name, row, path))
        return number
      }),
    listed(path, type) {
      const key = path.join('.')
      const columns = lists.get(key) ?? readList(path)
      lists.set(key, columns)
      return columns.get(type)?.values.slice() ?? new Float64Array(data.length).fill(Number.NaN)
    },
  }
}

type Container = Readonly<Record<string | number, unknown>> | undefined

const isRecord = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** results[3].metrics.clicks */
const placeOf = (name: string, row: number, path: Path) =>
  [`${name}[${row}]`, ...path.map(step => (typeof step === 'number' ? `[${step}]` : `.${step}`))].join('')

interface ListColumn {
  values: Float64Array
  parse: NumberFormat['parse']
}

/** A list is read once, however many metrics are in it. Most entries belong to no requested metric. */
function listColumns(
  lists: readonly unknown[],
  formats: ReadonlyMap<string, NumberFormat>,
  placeIn: (row: number) => string,
): Map<string, ListColumn> {
  const columns = new Map<string, ListColumn>()
  for (const [type, { parse }] of formats)
    columns.set(type, { values: new Float64Array(lists.length).fill(Number.NaN), parse })
  for (const [row, entries] of lists.entries()) {
    if (entries === undefined) continue
    if (!Array.isArray(entries)) throw unreadable(placeIn(row))
    for (let at = 0; at < entries.length; at += 1) {
      const entry: ListEntry = entries[at]
      const actionType = entry?.action_type
      if (typeof actionType !== 'string') throw unreadable(`${placeIn(row)}[${at}]`)
      const column = columns.get(actionType)
      if (column === undefined) continue
      const number = column.parse(entry?.value)
      // Twice the same action would mean that the list is split by something that was not requested.
      if (number === UNREADABLE || !Number.isNaN(column.values[row]))
        throw unreadable(`${placeIn(row)}[${at}].value`)
      column.values[row] = number
    }
  }
  return columns
}

/** Whatever stands in a list: reading a property of it fails for null alone. */
type ListEntry = { action_type?: unknown; value?: unknown } | null | undefined
