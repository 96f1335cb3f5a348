import type { WireResponse, Exchange } from './hostile.ts'
import { responseWith, mutation, type Mutation } from './hostile-mutation.ts'

// JSON: every scalar in turn, every list longer and shorter.

type Path = readonly (string | number)[]

/** Values that are wrong in place of any other. */
const INVALID: readonly (readonly [kind: string, text: string])[] = [
  ['null', 'null'],
  ['empty', '""'],
  ['abc', '"abc"'],
  ['huge', '1e400'],
  ['huge text', '"1e400"'],
  ['dash', '"-"'],
  ['negative', '-7'],
  ['negative text', '"-7"'],
  ['fraction', '1.5'],
  ['beyond 2^53', '9007199254740993'],
  ['many digits', `"${'9'.repeat(400)}.5"`],
  ['nested', '{"value":{"value":"7"}}'],
  ['list', '["7"]'],
  ['deep', `${'['.repeat(20_000)}${']'.repeat(20_000)}`],
  ['constructor', '"constructor"'],
  ['__proto__', '"__proto__"'],
  ['line break', '"a\\r\\nx: y"'],
  ['true', 'true'],
  ['long', `"${'名'.repeat(100_000)}"`],
]

export function aboutJson(original: WireResponse, text: string, elsewhere: string): Mutation[] {
  const whole = parsed(text)
  const places = placesIn(whole)
  const changed = (path: Path, change: Change) =>
    responseWith(original, written(whole, path, change), original.status)
  const scalars = places.filter(({ value }) => !isNode(value))
  const nodes = places.filter(({ value }) => isNode(value))
  const lists = places.filter(({ value }) => Array.isArray(value) && value.length > 0)
  return [
    ...scalars.flatMap(({ path }) =>
      INVALID.map(([kind, raw]) => mutation(kind, () => changed(path, { raw }), dotted(path))),
    ),
    ...scalars.flatMap(({ path, value }) =>
      typeof value === 'string' && value.startsWith('http')
        ? [
            mutation(
              'a link to elsewhere',
              () => changed(path, { raw: `"${elsewhere}/taken"` }),
              dotted(path),
            ),
          ]
        : [],
    ),
    ...nodes.flatMap(({ path }) =>
      ['null', '"abc"', '7', '[]', '{}'].map(rawText =>
        mutation(
          `instead of a list or object, ${rawText}`,
          () => changed(path, { raw: rawText }),
          dotted(path),
        ),
      ),
    ),
    ...[...scalars, ...nodes].flatMap(({ path }) =>
      typeof path.at(-1) === 'string'
        ? [mutation('missing', () => changed(path, 'missing'), dotted(path))]
        : [],
    ),
    ...nodes.flatMap(({ path, value }) =>
      Array.isArray(value) ? [] : [mutation('a key __proto__', () => changed(path, 'proto'), dotted(path))],
    ),
    ...lists.flatMap(({ path, value }) =>
      (['twice', 'twice at the end', 'dropped', 'first and last only', 'reversed'] as const)
        .filter(change => change !== 'first and last only' || (Array.isArray(value) && value.length > 2))
        .map(change => mutation(`an item ${change}`, () => changed(path, change), dotted(path))),
    ),
  ]
}

type Change =
  | { raw: string }
  | 'missing'
  | 'proto'
  | 'twice'
  | 'twice at the end'
  | 'dropped'
  | 'first and last only'
  | 'reversed'

export const isNode = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !raw.isRawJSON(value)

// TypeScript does not know them yet.
const raw = JSON as unknown as { rawJSON(text: string): object; isRawJSON(value: unknown): boolean }

/** Numbers stay as they were written. */
export const parsed = (text: string): unknown =>
  (
    JSON.parse as (
      text: string,
      reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
    ) => unknown
  )(text, (_, value, { source }) => (typeof value === 'number' ? raw.rawJSON(source ?? '0') : value))

/** Places that differ in more than the number of an item: of those that do not, the first and the last. */
function placesIn(whole: unknown): { path: Path; value: unknown }[] {
  const byForm = new Map<string, { path: Path; value: unknown }[]>()
  const walk = (value: unknown, path: Path) => {
    const form = path.map(step => (typeof step === 'number' ? '*' : step)).join('.')
    const alike = byForm.get(form) ?? []
    byForm.set(form, alike)
    alike.push({ path, value })
    if (!isNode(value)) return
    for (const [key, item] of Object.entries(value))
      walk(item, [...path, Array.isArray(value) ? Number(key) : key])
  }
  walk(whole, [])
  return [...byForm.values()]
    .flatMap(alike => {
      const last = alike.at(-1)
      return last !== undefined && alike.length > 1 ? [...alike.slice(0, 1), last] : alike
    })
    .filter(({ path }) => path.length > 0)
}

function written(whole: unknown, path: Path, change: Change): string {
  const copy = (value: unknown, rest: Path): unknown => {
    const [step, ...more] = rest
    if (step === undefined) return changedNode(value, change)
    if (Array.isArray(value)) return value.map((item, at) => (at === step ? copy(item, more) : item))
    const entries = Object.entries(value as object).filter(
      ([key]) => !(key === step && more.length === 0 && change === 'missing'),
    )
    return Object.fromEntries(entries.map(([key, item]) => [key, key === step ? copy(item, more) : item]))
  }
  const text = typeof change === 'object' ? change.raw : ''
  return JSON.stringify(copy(whole, path))
    .replace(`"${MARK}"`, () => text)
    .replace(`"${PROTO}":0`, () => '"__proto__":{"value":"7","name":"x"}')
}

const MARK = '\u2603mark'
const PROTO = '\u2603proto'

function changedNode(value: unknown, change: Change): unknown {
  if (typeof change === 'object') return MARK
  if (change === 'proto') return { ...(value as object), [PROTO]: 0 }
  const list = value as unknown[]
  const middle = list.length >> 1
  switch (change) {
    case 'twice':
      return list.flatMap((item, at) => (at === middle ? [item, item] : [item]))
    case 'twice at the end':
      return [...list, list[0]]
    case 'dropped':
      return list.toSpliced(middle, 1)
    case 'first and last only':
      return [list[0], list.at(-1)]
    case 'reversed':
      return list.toReversed()
    default:
      return value
  }
}

const dotted = (path: Path) => path.join('.')

/** A list of which every page says that there is another one; `is_empty`: with nothing on it. */
export function withoutEnd({ original }: Exchange, page: number, isEmpty: boolean): WireResponse {
  const items = {
    data: [],
    results: [],
    accountSummaries: [],
    items: [],
    list: [],
    datas: [],
    values: [],
    rows: [],
  }
  const more = {
    nextPageToken: String(page),
    totalResults: 1e9,
    rowCount: 1e9,
    totalNumEntries: 1e9,
    paging: {
      page,
      size: 1,
      totalElements: 1e9,
      next: 'https://elsewhere.invalid/',
      cursors: { after: String(page) },
    },
    page_info: { page, total_page: 1e9, total_number: 1e9 },
  }
  const endless = (value: unknown): unknown => {
    if (!isNode(value)) return value
    if (Array.isArray(value)) return value.map(endless)
    const own = Object.fromEntries(Object.entries(value).map(([key, each]) => [key, endless(each)]))
    const emptied = Object.entries(items).filter(([key]) => Array.isArray(own[key]))
    if ('columnHeader' in own) return { ...own, nextPageToken: more.nextPageToken }
    if (emptied.length === 0) return own
    return { ...own, ...more, ...(isEmpty && Object.fromEntries(emptied)) }
  }
  const text = original.body.toString()
  return /^\s*[[{]/.test(text) ? responseWith(original, JSON.stringify(endless(parsed(text)))) : original
}
