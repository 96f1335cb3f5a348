import type { TreeRow } from './tree-rows.ts'

/** What a key does in the tree: moves to another line, or opens or closes the current one. */
export type TreeMove = { to: number } | { expand: boolean } | null

/** As the authoring practices for trees have it: arrows, Home, End, and the first letter of a name. */
export function treeMove(rows: readonly TreeRow[], at: number, key: string): TreeMove {
  const row = rows[at]
  if (!row) return null
  switch (key) {
    case 'ArrowDown':
      return goTo(rows, at + 1)
    case 'ArrowUp':
      return goTo(rows, at - 1)
    case 'Home':
      return goTo(rows, 0)
    case 'End':
      return goTo(rows, rows.length - 1)
    case 'ArrowRight':
      if (row.expanded === null) return null
      return row.expanded ? goTo(rows, at + 1) : { expand: true }
    case 'ArrowLeft':
      if (row.expanded) return { expand: false }
      return row.folder?.parent == null
        ? null
        : goTo(
            rows,
            rows.findIndex(({ id }) => id === row.folder?.parent),
          )
    default:
      return [...key].length === 1 && key !== ' ' ? byLetter(rows, at, key) : null
  }
}

const goTo = (rows: readonly TreeRow[], to: number): TreeMove => (rows[to] ? { to } : null)

/** The next line whose name begins so, wrapping around at the end. */
function byLetter(rows: readonly TreeRow[], at: number, letter: string): TreeMove {
  const begins = ({ name }: TreeRow) => name.toLowerCase().startsWith(letter.toLowerCase())
  const behind = rows.findIndex((row, index) => index > at && begins(row))
  return goTo(rows, behind === -1 ? rows.findIndex(begins) : behind)
}
