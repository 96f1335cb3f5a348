/** The header under which a browser saves a response as a file of this name, whatever its characters. */
export const attachment = (fileName: string): string => `attachment; ${encoded(fileName)}`

/** The same for a file that people have named; inline: it is shown, and has this name where it is saved. */
export const disposition = (how: 'inline' | 'attachment', fileName: string): string =>
  `${how}; filename="${asciiOf(fileName)}"; ${encoded(fileName)}`

/** RFC 8187; half a surrogate pair cannot be encoded. */
const encoded = (fileName: string) =>
  `filename*=UTF-8''${encodeURIComponent(fileName.toWellFormed()).replaceAll(/['()*]/g, percent)}`

const percent = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`

/** For programs that do not know the other form. Some of them decode percent signs, others none. */
const asciiOf = (fileName: string) => fileName.replaceAll(/[^ -~]|["\\%]/gu, '_')
