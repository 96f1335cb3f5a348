const TAB = 9
const NEW_LINE = 10
const COMMA = 44

/**
 * Whether the text of a file is whole. Cut off amid its last number a file looks whole, and whether files end
 * in a line break is documented nowhere: one without is believed when it comes like that twice, unless its
 * last field is empty: then it is cut off right before it.
 */
export function wholeFileTest<File extends string | Buffer>(): (file: File) => boolean {
  let previous: string | Buffer | null = null
  return file => {
    const end = typeof file === 'string' ? file.charCodeAt(file.length - 1) : file.at(-1)
    const isWhole = end === NEW_LINE || (isSame(file, previous) && end !== COMMA && end !== TAB)
    previous = file
    return isWhole
  }
}

const isSame = (file: string | Buffer, previous: string | Buffer | null) =>
  typeof file === 'string' || previous === null || typeof previous === 'string'
    ? file === previous
    : file.equals(previous)
