/** The pattern of `like` that matches the text anywhere, with its wildcards escaped. */
export const containing = (text: string): string => `%${literal(text)}%`

/** The same for a match at the beginning. */
export const beginningWith = (text: string): string => `${literal(text)}%`

const literal = (text: string) => text.replaceAll(/[\\%_]/g, String.raw`\$&`)

/** A list's `ordering` is a field, `-` first for descending. */
export const directionOf = (ordering: string): 'asc' | 'desc' => (ordering.startsWith('-') ? 'desc' : 'asc')
