import { useMemo, useState } from 'react'
import { moved } from './block-edits.ts'

/** So many channels are all open; more of them begin folded to one line each. */
const MOST_OPEN = 3

export type Folds = ReturnType<typeof useFolds>

/**
 * Which channels are folded to one line. Channels have no ids: the list follows them as they move. `attempt`
 * counts the saves that failed, after each of which the `wrong` ones are open.
 */
export function useFolds(count: number, { attempt, wrong }: { attempt: number; wrong: ReadonlySet<number> }) {
  const [folded, setFolded] = useState<readonly boolean[]>(() =>
    Array.from({ length: count }, () => count > MOST_OPEN),
  )
  const [seen, setSeen] = useState(attempt)
  if (seen !== attempt) {
    setSeen(attempt)
    setFolded(list => list.map((is, index) => is && !wrong.has(index)))
  }
  const changes = useMemo(
    () => ({
      toggle: (index: number) => setFolded(list => filledTo(list, index).with(index, !list[index])),
      all: (is: boolean, total: number) => setFolded(Array.from({ length: total }, () => is)),
      move: (from: number, to: number) =>
        setFolded(list => moved(filledTo(list, Math.max(from, to)), from, to)),
      duplicate: (index: number) => setFolded(list => filledTo(list, index).toSpliced(index + 1, 0, false)),
      remove: (index: number) => setFolded(list => list.toSpliced(index, 1)),
    }),
    [],
  )
  return { folded, changes }
}

/** A channel that has been added since is open. */
const filledTo = (list: readonly boolean[], index: number) =>
  Array.from({ length: Math.max(list.length, index + 1) }, (_, at) => list[at] ?? false)
