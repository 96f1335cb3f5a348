/** Overrides, embeddings, isolates and marks of direction: they make a name read as another one. */
const DIRECTION = String.raw`\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069`
const CONTROL = new RegExp(String.raw`[\p{Cc}\u2028\u2029\ufff9-\ufffb${DIRECTION}]`, 'u')
const CONTROL_IN_TEXT = new RegExp(String.raw`(?![\n\r\t])[\p{Cc}\ufff9-\ufffb${DIRECTION}]`, 'u')
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/u
/**
 * Of no width, and of no use but to distinguish two equal names. Joiners have one, in emoji and in Persian.
 */
const WIDTHLESS = /[\u00ad\u180e\u200b\u2060-\u2064\ufeff]/u

/** A name that somebody else has chosen, such as that of a file, without what no name may have. */
export const plainPartOf = (value: string): string =>
  value.toWellFormed().normalize('NFC').replaceAll(NOT_IN_NAMES, '').trim()

const NOT_IN_NAMES = new RegExp(`${CONTROL.source}|${WIDTHLESS.source}`, 'gu')

/** Whether nothing in a name hides, reverses or breaks the text around it. */
export function isPlain(value: string): boolean {
  return !CONTROL.test(value) && !WIDTHLESS.test(value)
}
/** The same of a text of several lines. */
export function isPlainText(value: string): boolean {
  return !CONTROL_IN_TEXT.test(value)
}
export function isVisible(value: string): boolean {
  return !UNSEEN.test(value)
}
