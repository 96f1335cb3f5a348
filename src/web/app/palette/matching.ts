/** Something that can be found by any of its names. */
export interface Findable {
  /** In both languages, so that people who read one and think in the other find it. */
  names: readonly string[]
}

/**
 * Those that contain what was typed, case and width ignored: names that begin with it first, then words that
 * do, then the rest.
 */
export function matching<Entry extends Findable>(entries: readonly Entry[], typed: string): Entry[] {
  const needle = folded(typed)
  return entries
    .flatMap(entry => {
      const ranks = entry.names.map(name => rankOf(folded(name), needle))
      const best = Math.min(...ranks)
      return best < NOWHERE ? [{ entry, best }] : []
    })
    .toSorted((a, b) => a.best - b.best)
    .map(({ entry }) => entry)
}

const NOWHERE = 3

function rankOf(name: string, needle: string): number {
  const at = name.indexOf(needle)
  if (at === -1) return NOWHERE
  if (at === 0) return 0
  return name[at - 1] === ' ' ? 1 : 2
}

const folded = (text: string) => text.normalize('NFKC').trim().toLowerCase()
