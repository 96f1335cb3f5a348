/** A line of a text, and whether the other text lacks it. */
export interface Line {
  text: string
  isChanged: boolean
}

/** Two texts line by line; a line is matched with the first equal one that is not yet matched. */
export function lineDifference(before: string, after: string): { before: Line[]; after: Line[] } {
  const [older, newer] = [before.split('\n'), after.split('\n')]
  return { before: marked(older, newer), after: marked(newer, older) }
}

function marked(lines: readonly string[], others: readonly string[]): Line[] {
  const left = [...others]
  return lines.map(text => {
    const at = left.indexOf(text)
    if (at >= 0) left.splice(at, 1)
    return { text, isChanged: at < 0 && text !== '' }
  })
}
