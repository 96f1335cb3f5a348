/**
 * What a table has under a word of the platform's: nothing under those that every object knows, such as
 * constructor.
 */
export const lookup = <T>(table: Readonly<Record<string, T>>, word: string): T | undefined =>
  Object.hasOwn(table, word) ? table[word] : undefined
