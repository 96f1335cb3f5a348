/**
 * Whether the text of a file is whole. Cut off amid its last number a file looks whole, and whether files end
 * in a line break is documented nowhere: one without is believed when it comes like that twice, unless its
 * last field is empty: then it is cut off right before it.
 */
export function wholeFileTest(): (text: string) => boolean {
  let previous: string | null = null
  return text => {
    const isWhole = text.endsWith('\n') || (text === previous && !/[,\t]$/.test(text))
    previous = text
    return isWhole
  }
}
