/** The pattern of `like` for what has the text somewhere, whatever its characters mean there. */
export const containing = (text: string): string => `%${literal(text)}%`

/** The same for what begins with it. */
export const beginningWith = (text: string): string => `${literal(text)}%`

const literal = (text: string) => text.replaceAll(/[\\%_]/g, String.raw`\$&`)

/** A list's `ordering` is a field, `-` first for descending. */
export const directionOf = (ordering: string): 'asc' | 'desc' => (ordering.startsWith('-') ? 'desc' : 'asc')
