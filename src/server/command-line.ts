/**
 * The program and its arguments of a line as one would type it, with quotes: `clamdscan --config "/etc/my
 * scan.conf" -`. No shell reads it, so nothing else in it has a meaning. null: a quote is not closed, or
 * there is no program.
 */
export function splitCommand(line: string): [program: string, ...args: string[]] | null {
  const words: string[] = []
  let rest = line.trimStart()
  while (rest !== '') {
    const word = WORD.exec(rest)?.[0]
    if (word === undefined) return null
    words.push([...word.matchAll(PART)].map(unquoted).join(''))
    const after = rest.slice(word.length)
    rest = after.trimStart()
    // Such as the quote that is never closed.
    if (rest !== '' && rest.length === after.length) return null
  }
  const [program, ...args] = words
  return program ? [program, ...args] : null
}

/** In single quotes everything is plain; in double quotes a backslash makes a quote or another one plain. */
const PART = /'([^']*)'|"((?:[^"\\]|\\[^])*)"|\\([^])|[^\s'"\\]+/g
const WORD = new RegExp(`^(?:${PART.source})+`)

const unquoted = ([part, single, double, escaped]: RegExpMatchArray): string =>
  single ?? double?.replaceAll(/\\(["\\])/g, '$1') ?? escaped ?? part
