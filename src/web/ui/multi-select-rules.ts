/** Chips that a multi-select shows before the rest becomes a counter. */
export const VISIBLE_CHIPS = 3

/** The chips to show and how many more are chosen. */
export function collapsed<Item>(
  chosen: readonly Item[],
  limit = VISIBLE_CHIPS,
): { chips: readonly Item[]; more: number } {
  return { chips: chosen.slice(0, limit), more: Math.max(0, chosen.length - limit) }
}

export interface GroupedOption<Value extends string | number> {
  value: Value
  label: string
  /** What its chip says; left out: the label. */
  short?: string
  /** The option has a problem: its chip is highlighted. */
  marked?: boolean
  /** Options of one group are listed together under its name. */
  group?: string
  /** In small print behind the label. */
  note?: string
  /** An explanation, shown under the list while the option is active or hovered. */
  explanation?: string
}

export type Line<Value extends string | number> =
  | { kind: 'group'; name: string }
  | { kind: 'option'; option: GroupedOption<Value> }

/**
 * The lines of the list: what contains every word of the search, under the names of their groups, in the
 * order given.
 */
export function linesOf<Value extends string | number>(
  options: readonly GroupedOption<Value>[],
  search: string,
): Line<Value>[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const found = options.filter(({ label, group = '', note = '', explanation = '' }) => {
    const text = `${label} ${group} ${note} ${explanation}`.toLowerCase()
    return words.every(word => text.includes(word))
  })
  const groups = new Map<string, GroupedOption<Value>[]>()
  for (const option of found) {
    const name = option.group ?? ''
    const members = groups.get(name)
    if (members) members.push(option)
    else groups.set(name, [option])
  }
  return [...groups].flatMap(([name, members]): Line<Value>[] => [
    ...(name === '' ? [] : [{ kind: 'group' as const, name }]),
    ...members.map(option => ({ kind: 'option' as const, option })),
  ])
}
