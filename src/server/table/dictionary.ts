import type { PageDimension } from '#server/connectors/connector.ts'

/**
 * The values of one dimension as small whole numbers. Keys of different scopes are distinct: an account
 * belongs to its channel, an entity to its account; plain values (scope -1) are the same everywhere.
 */
export interface Dictionary {
  codes: Map<number, Map<string, number>>
  keys: string[]
  scopes: number[]
  labels: string[]
  /** The day that the label was taken from. */
  labelDays: number[]
  /**
   * Which code followed which the last time: platforms return the same entities in the same order day after
   * day.
   */
  next: number[]
  /**
   * Whether that was right for most rows of the last page; where it is not, guessing costs more than it
   * saves.
   */
  isOrdered: boolean
}

export const PLAIN = -1

export const emptyDictionary = (): Dictionary => ({
  codes: new Map(),
  keys: [],
  scopes: [],
  labels: [],
  labelDays: [],
  next: [],
  isOrdered: true,
})

/** The code of one value. */
export function codeOf(dictionary: Dictionary, value: { key: string; scope: number; label: string }): number {
  const codes = codesOfScope(dictionary, value.scope)
  return codes.get(value.key) ?? enter(dictionary, codes, { ...value, day: 0 })
}

/** Where a column's codes go: into every `step`-th entry of `codes`, from `from` on. */
export interface CodeColumn {
  codes: Int32Array
  from: number
  step: number
  length: number
}

/** Codes of a page's column. */
export function encode(dictionary: Dictionary, column: PageDimension, encoding: Encoding): void {
  const { length, codes, from, step } = encoding.target
  const misses = dictionary.isOrdered
    ? encodeInOrder(dictionary, column, encoding)
    : encodeEach(dictionary, column, encoding)
  dictionary.isOrdered = misses * 2 <= length
  const { labels } = column
  if (!labels) return
  for (let row = 0; row < length; row++) {
    updateLabel(dictionary, codes[from + row * step] ?? 0, labels[row] ?? '', encoding.days[row] ?? 0)
  }
}

interface Encoding {
  scope: number
  days: Int32Array
  target: CodeColumn
}

/** Looks every key up; returns for how many rows guessing would have been wrong. */
function encodeEach(
  dictionary: Dictionary,
  column: PageDimension,
  { scope, days, target }: Encoding,
): number {
  const codesByKey = codesOfScope(dictionary, scope)
  const { next } = dictionary
  const { codes, from, step, length } = target
  let misses = 0
  let last = 0
  for (let row = 0; row < length; row++) {
    const key = column.keys[row] ?? ''
    const code = codesByKey.get(key) ?? enterRow(dictionary, column, { row, scope, days })
    if (code !== last && next[last] !== code) {
      misses++
      next[last] = code
    }
    codes[from + row * step] = code
    last = code
  }
  return misses
}

/**
 * Guesses that a key is the previous one or the one that followed that the last time; returns how often
 * neither was true.
 */
function encodeInOrder(
  dictionary: Dictionary,
  column: PageDimension,
  { scope, days, target }: Encoding,
): number {
  const codesByKey = codesOfScope(dictionary, scope)
  const { next, keys: known, scopes } = dictionary
  const { codes, from, step, length } = target
  let misses = 0
  let code = 0
  for (let row = 0; row < length; row++) {
    const key = column.keys[row] ?? ''
    if (known[code] !== key || scopes[code] !== scope) {
      const last = code
      code = next[last] ?? 0
      if (known[code] !== key || scopes[code] !== scope) {
        misses++
        code = codesByKey.get(key) ?? enterRow(dictionary, column, { row, scope, days })
        next[last] = code
      }
    }
    codes[from + row * step] = code
  }
  return misses
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

/**
 * The latest day's label wins; of several on one day the last by code unit, so that the order in which pages
 * and rows come does not matter.
 */
function updateLabel({ labels, labelDays }: Dictionary, code: number, label: string, day: number): void {
  const knownDay = labelDays[code] ?? 0
  if (day < knownDay) return
  if (day > knownDay) labelDays[code] = day
  else if (label <= (labels[code] ?? '')) return
  if (label !== labels[code]) labels[code] = copyOf(label)
}

/** V8 slices a text without copying it: a name from a file of 32 MB would keep all of the file in memory. */
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
  const ownKey = copyOf(key)
  dictionary.keys.push(ownKey)
  dictionary.scopes.push(scope)
  dictionary.labels.push(label === key ? ownKey : copyOf(label))
  dictionary.labelDays.push(day)
  dictionary.next.push(0)
  codes.set(ownKey, code)
  return code
}
