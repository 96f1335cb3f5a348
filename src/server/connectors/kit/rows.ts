import { constantColumn, type TextColumn } from '#server/connectors/text-column.ts'

/** Rows of a response, read column by column: from JSON that has been parsed, or out of its bytes. */
export interface Rows {
  length: number
  /** The texts at a path in each row. Throws for one that is missing, unless `absent` stands for it. */
  texts(path: Path, rule?: TextRule): TextColumn
  /** The numbers at a path; NaN where nothing is said. Throws for what its format cannot read. */
  numbers(path: Path, format: NumberFormat): Float64Array
  /** Of a list of entries by type, the value of one type; NaN where the row's list has no such entry. */
  listed(path: Path, type: string, format: NumberFormat): Float64Array
}

/** Names of fields, and positions in lists. */
export type Path = readonly (string | number)[]

export interface TextRule {
  isGood?: (text: string) => boolean
  absent?: string
}

/** How a number is written. Each format is one object, by which it is recognised. */
export interface NumberFormat {
  /** Digits in quotes, read as they are or in millionths; or a number of JSON. */
  written: 'text' | 'money' | 'json'
  /** Whether every row has it, even one that says nothing: then `parse` decides about a row without it. */
  isRequired?: boolean
  /** A value as JSON.parse gives it; NaN for one that says nothing, UNREADABLE for any other form. */
  parse: (value: unknown) => number
}

export const UNREADABLE = Number.POSITIVE_INFINITY
export const orUnreadable = (value: number) => (Number.isNaN(value) ? UNREADABLE : value)

/** What a reader of columns looks at in each row: the fields of an object, by name. */
export type Shape = ObjectShape | ItemsShape | ListShape | Leaf
export interface ObjectShape {
  kind: 'object'
  fields: Map<string, Shape>
}
/** A list whose values are known by their position. */
export interface ItemsShape {
  kind: 'items'
  items: Shape[]
}
/** A list of entries, each of which says its type first. */
export interface ListShape {
  kind: 'list'
  types: Map<string, NumberLeaf>
}
export type Leaf = TextLeaf | NumberLeaf
export interface TextLeaf {
  kind: 'text'
  rule: TextRule
}
export interface NumberLeaf {
  kind: 'number'
  format: NumberFormat
  /** How many columns are made of it. */
  readers: number
}

/**
 * What `read` reads of rows, found by letting it read none: so nothing has to say a second time which fields
 * there are.
 */
export function shapeOf(read: (rows: Rows) => unknown): ObjectShape {
  const root: ObjectShape = { kind: 'object', fields: new Map() }
  read({
    length: 0,
    texts(path, rule = {}) {
      enter(root, path, { kind: 'text', rule })
      return constantColumn('', 0)
    },
    numbers(path, format) {
      const leaf = enter(root, path, numberLeaf(format))
      if (leaf.kind === 'number') leaf.readers += 1
      return new Float64Array()
    },
    listed(path, type, format) {
      const list = enter(root, path, { kind: 'list', types: new Map() })
      if (list.kind !== 'list') return new Float64Array()
      const leaf = list.types.get(type) ?? numberLeaf(format)
      leaf.readers += 1
      list.types.set(type, leaf)
      return new Float64Array()
    },
  })
  return root
}

const numberLeaf = (format: NumberFormat): NumberLeaf => ({ kind: 'number', format, readers: 0 })

/** The shape at a path, which becomes `shape` where there is none yet. */
function enter(root: ObjectShape, path: Path, shape: Shape): Shape {
  let parent: Shape = root
  for (const [at, step] of path.entries()) {
    const following = path[at + 1]
    const made = following === undefined ? shape : containerFor(following)
    parent = childOf(parent, step) ?? addTo(parent, step, made)
  }
  return parent
}

/** What is at a path of a shape. */
export function shapeAt(root: ObjectShape, path: Path): Shape | undefined {
  let shape: Shape | undefined = root
  for (const step of path) shape = shape && childOf(shape, step)
  return shape
}

const containerFor = (step: string | number): Shape =>
  typeof step === 'number' ? { kind: 'items', items: [] } : { kind: 'object', fields: new Map() }

function childOf(parent: Shape, step: string | number): Shape | undefined {
  if (parent.kind === 'object') return parent.fields.get(String(step))
  return parent.kind === 'items' ? parent.items[Number(step)] : undefined
}

function addTo(parent: Shape, step: string | number, child: Shape): Shape {
  if (parent.kind === 'object') parent.fields.set(String(step), child)
  if (parent.kind === 'items') parent.items[Number(step)] = child
  return child
}
