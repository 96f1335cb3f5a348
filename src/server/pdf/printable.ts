/**
 * What can be printed of a text: line breaks stay, everything that has no shape goes, and a sequence that
 * makes up one picture is one character.
 */
export function printable(text: string): string {
  return text
    .slice(0, MOST_CHARACTERS)
    .toWellFormed()
    .replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n')
    .replace(/[\t\u00a0\u2000-\u200a\u202f\u205f]/g, ' ')
    .replace(EMOJI_SEQUENCE, sequence => String.fromCodePoint(sequence.codePointAt(0) ?? 0))
    .replace(SHAPELESS, '')
    .replace(/[^\p{M}\n]\p{M}+/gu, cluster => cluster.normalize('NFC'))
}

/** A longer text is no part of a document that somebody reads. */
const MOST_CHARACTERS = 10_000
/** Flags, families, skin tones. */
const EMOJI_SEQUENCE =
  /\p{RI}\p{RI}|\p{Extended_Pictographic}(?:\p{EMod}|[\ufe0e\ufe0f\u20e3]|[\u{e0020}-\u{e007f}]|\u200d\p{Extended_Pictographic})+/gu
/** Control characters, directions, joiners, variation selectors, private marks of order. */
const SHAPELESS = /(?!\n)[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu
