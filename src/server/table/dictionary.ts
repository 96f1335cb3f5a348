import type { PageDimension } from '#server/connectors/connector.ts'
import { textAt, translator, type CodeColumn } from '#server/connectors/text-column.ts'

/**
 * The values of one dimension as small whole numbers. Keys of different scopes are distinct: an account
 * belongs to its channel, an entity to its account; plain values (scope -1) are the same everywhere.
 */
export interface Dictionary {
  byScope: Map<number, Scope>
  keys: string[]
  scopes: number[]
  labels: string[]
  /** The day that the label was taken from. */
  labelDays: number[]
}

interface Scope {
  /** The code of a key; a new one when it is unknown, with this label. */
  codeAt: (key: string, label?: string) => number
  /** Writes the codes of a column of keys. */
  write: ReturnType<typeof translator>
}

export const PLAIN = -1

/** Before the first day of any range, and of what it is compared with. */
const NO_DAY = -(2 ** 30)

export const emptyDictionary = (): Dictionary => ({
  byScope: new Map(),
  keys: [],
  scopes: [],
  labels: [],
  labelDays: [],
})

/** The code of one value. */
export const codeOf = (
  dictionary: Dictionary,
  { key, scope, label }: { key: string; scope: number; label: string },
): number => scopeOf(dictionary, scope).codeAt(key, label)

/** Codes of a page's column. */
export function encode(dictionary: Dictionary, { keys, labels }: PageDimension, encoding: Encoding): void {
  const { target, days } = encoding
  const { length, codes, from, step } = target
  scopeOf(dictionary, encoding.scope).write(keys, target)
  if (!labels) return
  for (let row = 0; row < length; row++)
    updateLabel(dictionary, codes[from + row * step] ?? 0, textAt(labels, row), days[row] ?? 0)
}

interface Encoding {
  scope: number
  days: Int32Array
  target: CodeColumn
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
  labels[code] = label
}

function scopeOf(dictionary: Dictionary, scope: number): Scope {
  const known = dictionary.byScope.get(scope)
  if (known) return known
  const codes = new Map<string, number>()
  const codeAt = (key: string, label = key): number => {
    const code = codes.get(key) ?? dictionary.keys.push(key) - 1
    if (codes.has(key)) return code
    codes.set(key, code)
    dictionary.scopes.push(scope)
    dictionary.labels.push(label)
    dictionary.labelDays.push(NO_DAY)
    return code
  }
  const entry = { codeAt, write: translator(key => codeAt(key)) }
  dictionary.byScope.set(scope, entry)
  return entry
}
