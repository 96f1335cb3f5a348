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
}

export const PLAIN = -1

export const emptyDictionary = (): Dictionary => ({
  codes: new Map(),
  keys: [],
  scopes: [],
  labels: [],
  label_days: [],
})

/** The code of one value. */
export function codeOf(dictionary: Dictionary, value: { key: string; scope: number; label: string }): number {
  const codes = codesOfScope(dictionary, value.scope)
  return codes.get(value.key) ?? enter(dictionary, codes, { ...value, day: 0 })
}

/**
 * Codes of a page's column into `out`. The latest day's label wins; of several on one day the last by code unit, so that the order in which
 * pages and rows come does not matter.
 */
export function encode(
  dictionary: Dictionary,
  { keys, labels }: PageDimension,
  { scope, days, length, out }: { scope: number; days: Int32Array; length: number; out: Int32Array },
): void {
  const codes = codesOfScope(dictionary, scope)
  const { labels: best, label_days } = dictionary
  let last_key: string | undefined
  let code = 0
  for (let row = 0; row < length; row++) {
    const key = keys[row] ?? ''
    if (key !== last_key) {
      code = codes.get(key) ?? -1
      last_key = key
    }
    const label = labels ? (labels[row] ?? '') : key
    const day = days[row] ?? 0
    if (code < 0) {
      code = enter(dictionary, codes, { key, scope, label, day })
    } else if (labels) {
      const known_day = label_days[code] ?? 0
      if (day > known_day || (day === known_day && label > (best[code] ?? ''))) {
        best[code] = label
        label_days[code] = day
      }
    }
    out[row] = code
  }
}

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
  dictionary.keys.push(key)
  dictionary.scopes.push(scope)
  dictionary.labels.push(label)
  dictionary.label_days.push(day)
  codes.set(key, code)
  return code
}
