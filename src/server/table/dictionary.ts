import type { PageDimension } from '#server/connectors/connector.ts'

/**
 * The values of one dimension as small whole numbers. Keys of different scopes stay apart: an account belongs to its channel,
 * an entity to its account; plain values (scope -1) are the same everywhere.
 */
export interface Dictionary {
  codes: Map<number, Map<string, number>>
  keys: string[]
  scopes: number[]
  labels: string[]
  /** The day that the label was taken from. */
  label_days: number[]
  /** Which code came after which the last time: platforms name the same entities in the same order day after day. */
  next: number[]
  /** Whether that held for most rows of the last page; where it does not, asking costs more than it saves. */
  is_ordered: boolean
}

export const PLAIN = -1

export const emptyDictionary = (): Dictionary => ({
  codes: new Map(),
  keys: [],
  scopes: [],
  labels: [],
  label_days: [],
  next: [],
  is_ordered: true,
})

/** The code of one value. */
export function codeOf(dictionary: Dictionary, value: { key: string; scope: number; label: string }): number {
  const codes = codesOfScope(dictionary, value.scope)
  return codes.get(value.key) ?? enter(dictionary, codes, { ...value, day: 0 })
}

/** Where a column's codes go: into every `step`-th place of `codes`, from `from` on. */
export interface Places {
  codes: Int32Array
  from: number
  step: number
  length: number
}

/** Codes of a page's column. */
export function encode(dictionary: Dictionary, column: PageDimension, given: Encoding): void {
  const { length, codes, from, step } = given.places
  const strangers = dictionary.is_ordered
    ? encodeInOrder(dictionary, column, given)
    : encodeEach(dictionary, column, given)
  dictionary.is_ordered = strangers * 2 <= length
  const { labels } = column
  if (!labels) return
  for (let row = 0; row < length; row++) {
    keepLatest(dictionary, codes[from + row * step] ?? 0, labels[row] ?? '', given.days[row] ?? 0)
  }
}

interface Encoding {
  scope: number
  days: Int32Array
  places: Places
}

/** Looks every key up; answers for how many rows guessing would have been wrong. */
function encodeEach(
  dictionary: Dictionary,
  column: PageDimension,
  { scope, days, places }: Encoding,
): number {
  const of_scope = codesOfScope(dictionary, scope)
  const { next } = dictionary
  const { codes, from, step, length } = places
  let strangers = 0
  let last = 0
  for (let row = 0; row < length; row++) {
    const key = column.keys[row] ?? ''
    const code = of_scope.get(key) ?? enterRow(dictionary, column, { row, scope, days })
    if (code !== last && next[last] !== code) {
      strangers++
      next[last] = code
    }
    codes[from + row * step] = code
    last = code
  }
  return strangers
}

/** Guesses that a key is the one before or the one that came behind that the last time; answers how often neither was true. */
function encodeInOrder(
  dictionary: Dictionary,
  column: PageDimension,
  { scope, days, places }: Encoding,
): number {
  const of_scope = codesOfScope(dictionary, scope)
  const { next, keys: known, scopes } = dictionary
  const { codes, from, step, length } = places
  let strangers = 0
  let code = 0
  for (let row = 0; row < length; row++) {
    const key = column.keys[row] ?? ''
    if (known[code] !== key || scopes[code] !== scope) {
      const last = code
      code = next[last] ?? 0
      if (known[code] !== key || scopes[code] !== scope) {
        strangers++
        code = of_scope.get(key) ?? enterRow(dictionary, column, { row, scope, days })
        next[last] = code
      }
    }
    codes[from + row * step] = code
  }
  return strangers
}

function enterRow(
  dictionary: Dictionary,
  { keys, labels }: PageDimension,
  { row, scope, days }: { row: number; scope: number; days: Int32Array },
): number {
  const key = keys[row] ?? ''
  const codes = codesOfScope(dictionary, scope)
  return enter(dictionary, codes, { key, scope, label: labels?.[row] ?? key, day: days[row] ?? 0 })
}

/** The latest day's label wins; of several on one day the last by code unit, so that the order in which pages and rows come does not matter. */
function keepLatest({ labels, label_days }: Dictionary, code: number, label: string, day: number): void {
  const known_day = label_days[code] ?? 0
  if (day < known_day) return
  if (day > known_day) label_days[code] = day
  else if (label <= (labels[code] ?? '')) return
  if (label !== labels[code]) labels[code] = copyOf(label)
}

/** V8 cuts pieces of a text without copying them: a name kept from a file of 32 MB would keep all of the file. */
const copyOf = (text: string) => ` ${text}`.slice(1)

function codesOfScope(dictionary: Dictionary, scope: number): Map<string, number> {
  const known = dictionary.codes.get(scope)
  if (known) return known
  const codes = new Map<string, number>()
  dictionary.codes.set(scope, codes)
  return codes
}

function enter(
  dictionary: Dictionary,
  codes: Map<string, number>,
  { key, scope, label, day }: { key: string; scope: number; label: string; day: number },
): number {
  const code = dictionary.keys.length
  const own_key = copyOf(key)
  dictionary.keys.push(own_key)
  dictionary.scopes.push(scope)
  dictionary.labels.push(label === key ? own_key : copyOf(label))
  dictionary.label_days.push(day)
  dictionary.next.push(0)
  codes.set(own_key, code)
  return code
}
