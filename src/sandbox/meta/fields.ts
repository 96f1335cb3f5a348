import { isRecord } from '#sandbox/record.ts'
import { invalid } from './errors.ts'

/** A field of a node, with the requested fields of the node behind it: business{id,name}. */
export interface RequestedField {
  name: string
  of: RequestedField[] | null
}

/** Reads `id,name,business{id,name}`. */
export function parseFields(text: string | null, usual: string): RequestedField[] {
  const source = text ?? usual
  let at = 0

  const list = (depth: number): RequestedField[] => {
    const fields: RequestedField[] = []
    for (;;) {
      const name = /^[A-Za-z0-9_]+/.exec(source.slice(at))?.[0]
      if (name === undefined || depth > 3) throw syntax(at)
      at += name.length
      let of: RequestedField[] | null = null
      if (source[at] === '{') {
        at++
        of = list(depth + 1)
        if (source[at] !== '}') throw syntax(at)
        at++
      }
      fields.push({ name, of })
      if (source[at] !== ',') return fields
      at++
    }
  }

  const fields = list(0)
  if (at !== source.length) throw syntax(at)
  return fields
}

/**
 * The requested fields of a node; refuses a field that the kind of node does not have. `id` is always there.
 */
export function project(
  node: Record<string, unknown>,
  requested: RequestedField[],
  type: string,
): Record<string, unknown> {
  const chosen: Record<string, unknown> = {}
  for (const { name, of } of requested) {
    if (!(name in node)) throw invalid(`Tried accessing nonexisting field (${name}) on node type (${type})`)
    const value = node[name]
    if (value === undefined) continue
    chosen[name] = of !== null && isRecord(value) ? project(value, of, 'Business') : value
  }
  if ('id' in node) chosen['id'] = node['id']
  return chosen
}

const syntax = (at: number) =>
  invalid(`Syntax error "Expected end of string instead of ..." at character ${at} of fields`)
