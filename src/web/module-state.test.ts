import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

// The server draws the pages of several people with the same modules (visit/per-visit.ts): what a module
// remembers of one must not be there for the next.

/** What holds nothing of anybody, or changes only by what somebody does in a browser. */
const allowed: Record<string, readonly string[]> = {
  'client/live.ts': ['stop', 'position', 'spreadsheet', 'listeners', 'knownEnds'],
  'client/reachability.ts': ['probe'],
  'client/toasts.ts': ['last'],
  'i18n/i18n.ts': ['errorTexts'],
  'pages/audiences/hashing/hasher.ts': ['policy'],
  'pages/orders/editor/draft.ts': ['lastKey'],
  'pages/orders/editor/order-editor.tsx': ['NO_ACCOUNTS'],
  'pages/reports/editor/favourite-metrics.ts': ['listeners'],
  'pages/reports/editor/tab.ts': ['held'],
  'pages/reports/list/use-selection.ts': ['nothing'],
  'ui/last-focused.ts': ['last'],
  'ui/relative-time.tsx': ['listeners', 'timer'],
  'visit/lazy.ts': ['loads'],
  'visit/per-visit.ts': ['current'],
}

const VARIABLE = /^(?:export )?let (\w+)/gm
const COLLECTION =
  /^(?:export )?const (\w+)(?:: [^=\n]+)? = (?:new (?:Map|Set|WeakMap)\b(?:<[^\n]*>)?\(\)|\[\]|\{\})$/gm

it('keeps nothing of a person in a variable of a module', () => {
  const found: Record<string, string[]> = {}
  for (const file of readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(file) || /\.test\.|(^|\/)(testing|gallery)\/|-worker\.ts$|^first-paint/.test(file))
      continue
    const text = readFileSync(join(import.meta.dirname, file), 'utf8')
    const names = [...text.matchAll(VARIABLE), ...text.matchAll(COLLECTION)].map(([, name = '']) => name)
    const left = names.filter(name => !allowed[file]?.includes(name))
    if (left.length > 0) found[file] = left
  }
  expect(found).toEqual({})
})

it('sees a variable and a collection', () => {
  const text = 'let last = 0\nexport const seen = new Map<string, number>()\nconst all: string[] = []\n'
  expect([...text.matchAll(VARIABLE), ...text.matchAll(COLLECTION)].map(([, name]) => name)).toEqual([
    'last',
    'seen',
    'all',
  ])
})
