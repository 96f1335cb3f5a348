import { printable } from './printable.ts'
import type { Letter, TypefaceName, Typefaces } from './typefaces.ts'

/** A part of a line in one typeface. */
export interface LinePart {
  text: string
  typeface: TypefaceName
  width: number
}

export interface Line {
  parts: readonly LinePart[]
  width: number
}

/**
 * Breaks a text into lines: between Chinese characters, at spaces and hyphens, inside a word only where it is
 * wider than a line. No line begins with 、。」 or ends with 「 (kinsoku, the simple kind). `width` is in
 * thousandths of the size.
 */
export function breakLines(text: string, width: number, typefaces: Typefaces): Line[] {
  return printable(text)
    .trimEnd()
    .split('\n')
    .flatMap(paragraph => {
      const letters = lettersOf(paragraph, typefaces)
      return breakParagraph(letters, width, typefaces).map(line => lineOf(line, typefaces))
    })
}

/** One line, however wide. */
export function oneLine(text: string, typefaces: Typefaces): Line {
  return lineOf(lettersOf(printable(text).replaceAll('\n', ' '), typefaces), typefaces)
}

/** One line that is cut with dots where it is wider. */
export function cutLine(text: string, width: number, typefaces: Typefaces): Line {
  const whole = oneLine(text, typefaces)
  if (whole.width <= width) return whole
  // Chinese dots stand in the middle of their square, Latin ones on the line.
  const dots = oneLine(WIDE.test(text) ? '…' : '...', typefaces)
  const [first = dots] = breakLines(text.replaceAll('\n', ' '), width - dots.width, typefaces)
  return { parts: [...first.parts, ...dots.parts], width: first.width + dots.width }
}

/** Quotation marks and dots beside Latin are those of Noto Sans JP: in Noto Sans TC they fill a square. */
function lettersOf(text: string, typefaces: Typefaces): Letter[] {
  const characters = [...text]
  return characters.map((character, index) => {
    const isLatin =
      MARK.test(character) &&
      [characters[index - 1], characters[index + 1]].some(
        beside => beside !== undefined && LATIN.test(beside),
      )
    return typefaces.letter(character, isLatin ? 'jp' : undefined)
  })
}

function breakParagraph(letters: readonly Letter[], width: number, typefaces: Typefaces): Letter[][] {
  const lines: Letter[][] = []
  let start = 0
  while (start < letters.length) {
    const end = lineEnd(letters, { start, width, typefaces })
    lines.push(withoutSpaces(letters.slice(start, end)))
    start = end
    while (start < letters.length && isSpace(letters[start])) start += 1
  }
  return lines.length === 0 ? [[]] : lines
}

/** Where the line that begins at `start` ends: at the last place that fits and may be broken. */
function lineEnd(
  letters: readonly Letter[],
  { start, width, typefaces }: { start: number; width: number; typefaces: Typefaces },
): number {
  let used = 0
  let last: number | null = null
  for (let at = start; at < letters.length; at += 1) {
    const [before, letter] = [letters[at - 1], letters[at]]
    if (letter === undefined) break
    if (at > start && before && mayBreak(before, letter)) last = at
    used += letter.width + (at > start && before ? typefaces.kerning(before, letter) : 0)
    // A space at the end of a line is not printed.
    if (used > width && !isSpace(letter)) return last ?? Math.max(start + 1, at)
  }
  return letters.length
}

function mayBreak({ text: left }: Letter, { text: right }: Letter): boolean {
  if (right === ' ') return false
  if (left === ' ') return true
  if (NEVER_FIRST.test(right) || NEVER_LAST.test(left)) return false
  if (WIDE.test(left) || WIDE.test(right)) return true
  return /[-–—/_&?=]/.test(left) && /\p{L}/u.test(right)
}

function withoutSpaces(letters: Letter[]): Letter[] {
  const end = letters.findLastIndex(letter => !isSpace(letter))
  return letters.slice(0, end + 1)
}

const isSpace = (letter: Letter | undefined) => letter?.text === ' '

function lineOf(letters: readonly Letter[], typefaces: Typefaces): Line {
  const parts: LinePart[] = []
  let before: Letter | null = null
  for (const letter of letters) {
    const part = parts.at(-1)
    if (part && part.typeface === letter.typeface) {
      part.text += letter.text
      part.width += letter.width + (before ? typefaces.kerning(before, letter) : 0)
    } else parts.push({ ...letter })
    before = letter
  }
  return { parts, width: parts.reduce((sum, part) => sum + part.width, 0) }
}

const MARK = /[‘’“”·•]/
const LATIN = /[\p{sc=Latin}\d.,!?;:)(]/u
/** Closing brackets, stops, small kana, and marks that belong to the character before. */
const NEVER_FIRST =
  /[\p{M}\p{Pe}\p{Pf}、。，．・：；？！…‥ー々ゝゞヽヾぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ％‰℃,.;:!?%'"]/u
/** Opening brackets and what stands before a number. */
const NEVER_LAST = /[\p{Ps}\p{Pi}$£¥€＄￥#＃@＠]/u
/** Han, kana, hangul, and the punctuation and full-width forms beside them. */
const WIDE = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\u3000-\u303f\uff01-\uff60▯]/u
