import { z } from 'zod'

/**
 * Names that people choose. Names are compared, sorted and shown beside other names, so nothing in them may
 * hide, reverse or break the text around them; and two that look the same are the same, however they were
 * typed (NFC).
 */
export const nameOrNothing = (most: number) =>
  z.string().normalize('NFC').trim().max(most).refine(isPlain, NOT_PLAIN)
export const name = (most: number) => nameOrNothing(most).min(1)

/** A name by which somebody signs in: what cannot be seen at all makes two people out of one. */
export const username = (most: number) => name(most).refine(isVisible, NOT_PLAIN)

/** Text of several lines. */
export const textOrNothing = (most: number) =>
  z.string().normalize('NFC').trim().max(most).refine(isPlainText, NOT_PLAIN)
export const text = (most: number) => textOrNothing(most).min(1)

const NOT_PLAIN = {
  error: 'has characters that cannot be seen',
  params: { code: 'field_characters' },
}

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

function isPlain(value: string): boolean {
  return !CONTROL.test(value) && !WIDTHLESS.test(value)
}
function isPlainText(value: string): boolean {
  return !CONTROL_IN_TEXT.test(value)
}
function isVisible(value: string): boolean {
  return !UNSEEN.test(value)
}
