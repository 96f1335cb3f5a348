/**
 * A parsed field mask: a name → what is requested beneath it, null for everything. `*` is a name like any
 * other.
 */
export interface Mask {
  [name: string]: Mask | null
}

/** Parse `a.b,c(d,e/f),*`; undefined when the text is no mask. */
export function parseMask(text: string): Mask | undefined {
  const reader = { text, at: 0 }
  const mask = parseList(reader)
  return mask && reader.at === text.length ? mask : undefined
}

/** The first path of the mask that the message does not have; null when all are there. */
export function unknownPath(
  mask: Mask,
  message: string,
  { shapeOf, path = '' }: { shapeOf: ShapeOf; path?: string },
): string | null {
  const shape = shapeOf(message)
  if (!shape) return null
  for (const [name, below] of Object.entries(mask)) {
    const here = path ? `${path}.${name}` : name
    if (name === '*') {
      if (below) return here
      continue
    }
    const type = shape.get(name)?.replace('[]', '')
    if (type === undefined) return here
    if (!below) continue
    if (type.length === 1 && type !== '*') return `${here}.${Object.keys(below)[0]}`
    const deeper = type === '*' ? null : unknownPath(below, type, { shapeOf, path: here })
    if (deeper) return deeper
  }
  return null
}

export type ShapeOf = (message: string) => Map<string, string> | undefined

/**
 * Only what the mask names. Lists are descended into; objects that end up empty are removed, except as
 * entries of a list.
 */
export function applyMask(value: unknown, mask: Mask | null): unknown {
  if (mask === null || '*' in mask) return value
  if (Array.isArray(value)) return value.map(entry => applyMask(entry, mask) ?? {})
  if (typeof value !== 'object' || value === null) return value
  const result: Record<string, unknown> = {}
  for (const [name, member] of Object.entries(value)) {
    const below = mask[name]
    if (below === undefined || member === undefined) continue
    const masked = applyMask(member, below)
    if (masked !== undefined) result[name] = masked
  }
  return Object.keys(result).length > 0 ? result : undefined
}

/** Whether the mask requests anything at or beneath the path. */
export function wants(mask: Mask | null, ...path: string[]): boolean {
  let here = mask
  for (const name of path) {
    if (here === null || '*' in here) return true
    const below = here[name]
    if (below === undefined) return false
    here = below
  }
  return true
}

interface Reader {
  text: string
  at: number
}

function parseList(reader: Reader): Mask | undefined {
  const mask: Mask = {}
  while (true) {
    if (!parsePath(reader, mask)) return undefined
    if (reader.text[reader.at] !== ',') return mask
    reader.at++
  }
}

function parsePath(reader: Reader, into: Mask): boolean {
  const name = /^\s*([A-Za-z0-9_$@-]+|\*)\s*/.exec(reader.text.slice(reader.at))
  if (!name?.[1]) return false
  reader.at += name[0].length
  const key = name[1]
  const next = reader.text[reader.at]
  if (next === '.' || next === '/') {
    reader.at++
    const below: Mask = {}
    if (!parsePath(reader, below)) return false
    merge(into, key, below)
    return true
  }
  if (next === '(') {
    reader.at++
    const below = parseList(reader)
    if (!below || reader.text[reader.at] !== ')') return false
    reader.at++
    merge(into, key, below)
    return true
  }
  merge(into, key, null)
  return true
}

function merge(into: Mask, key: string, below: Mask | null) {
  const already = into[key]
  if (already === null) return
  if (already === undefined || below === null) into[key] = below
  else for (const [name, deeper] of Object.entries(below)) merge(already, name, deeper)
}
