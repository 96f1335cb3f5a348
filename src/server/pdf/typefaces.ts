import { readFileSync } from 'node:fs'
import { create, type Glyph, type PrintedFont, type Run } from 'fontkit'

/** Noto Sans TC, Noto Sans JP, and the box that stands for a character which neither has. */
export type TypefaceName = 'tc' | 'jp' | 'box'

/** A character with its place in a line; the same object wherever it stands. */
export interface Letter {
  text: string
  typeface: TypefaceName
  /** Thousandths of the size. */
  width: number
}

export interface Typefaces {
  /** The first typeface that has the character, of those that are preferred. */
  letter(character: string, first?: 'jp'): Letter
  /** What two neighbours move together or apart, in thousandths of the size. */
  kerning(left: Letter, right: Letter): number
  /** For pdfkit. */
  font(typeface: TypefaceName): PrintedFont
}

/**
 * The fonts are read once in a thread, each when a document first needs it. A character is one glyph, without
 * the shaping of fontkit: neither Chinese nor Latin needs it, and no sequence of characters can upset it.
 */
export function openTypefaces(): Typefaces {
  const letters = new Map<string, Letter>()
  const kernings = new Map<string, number>()
  const fonts = new Map<TypefaceName, PrintedFont>()
  const sources = {
    tc: once(() => open('NotoSansTC-Regular.ttf')),
    jp: once(() => open('NotoSansJP-Regular.ttf')),
  }

  function letter(character: string, first: 'tc' | 'jp' = 'tc'): Letter {
    const key = first + character
    const known = letters.get(key)
    if (known) return known
    if (letters.size > MOST_REMEMBERED) letters.clear()
    const found = newLetter(character, first)
    letters.set(key, found)
    return found
  }

  function newLetter(character: string, first: 'tc' | 'jp'): Letter {
    const codePoint = character.codePointAt(0) ?? 0
    const order = [first, 'tc', 'jp'] as const
    const typeface = order.find(name => sources[name]().hasGlyphForCodePoint(codePoint))
    if (typeface === undefined)
      return { text: character, typeface: 'box', width: (boxOf(sources.tc()).advanceWidth * BOX_WIDTH) / 100 }
    const { advanceWidth } = sources[typeface]().glyphForCodePoint(codePoint)
    return { text: character, typeface, width: advanceWidth }
  }

  function kerning(left: Letter, right: Letter): number {
    if (!LATIN.test(left.text) || !LATIN.test(right.text)) return 0
    const pair = left.text + right.text
    const known = kernings.get(pair)
    if (known !== undefined) return known
    const [first] = sources.tc().layout(pair, { liga: false }).positions
    const found = (first?.xAdvance ?? left.width) - left.width
    kernings.set(pair, found)
    return found
  }

  function font(typeface: TypefaceName): PrintedFont {
    const known = fonts.get(typeface)
    if (known) return known
    const source = typeface === 'box' ? sources.tc() : sources[typeface]()
    const box = { id: boxOf(source).id, advanceWidth: boxOf(source).advanceWidth, codePoints: [BOX] }
    const glyphOf = (character: string): Glyph =>
      typeface === 'box' ? box : source.glyphForCodePoint(character.codePointAt(0) ?? 0)
    // It inherits all that pdfkit embeds; only the choice of glyphs is its own.
    const made: PrintedFont = Object.create(source)
    made.layout = text => runOf([...text], glyphOf, (left, right) => kerning(letter(left), letter(right)))
    // Two fonts of one name are one to pdfkit.
    if (typeface === 'box') Object.defineProperty(made, 'postscriptName', { value: 'NotoSansTC-Box' })
    fonts.set(typeface, made)
    return made
  }

  return { letter, kerning, font }
}

function runOf(
  characters: readonly string[],
  glyphOf: (character: string) => Glyph,
  kerning: (left: string, right: string) => number,
): Run {
  const glyphs = characters.map(glyphOf)
  const positions = glyphs.map(({ advanceWidth }, index) => {
    const [left = '', right] = characters.slice(index, index + 2)
    const moved = right === undefined ? 0 : kerning(left, right)
    return { xAdvance: advanceWidth + moved, yAdvance: 0, xOffset: 0, yOffset: 0 }
  })
  return { glyphs, positions, advanceWidth: positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0) }
}

function open(file: string): PrintedFont {
  const font = create(readFileSync(new URL(`./fonts/${file}`, import.meta.url)))
  if (font.unitsPerEm !== 1000) throw new Error(`${file}: widths are expected in thousandths`)
  return font
}

function once<Value>(make: () => Value): () => Value {
  let made: Value | undefined
  return () => (made ??= make())
}

const boxOf = (font: PrintedFont) => font.glyphForCodePoint(SQUARE)

/** ▯ is in neither font: □ at this percentage of its width takes its place, and is ▯ when copied. */
export const BOX_WIDTH = 60
const BOX = 0x25af
const SQUARE = 0x25a1
const LATIN = /^[A-Za-z]$/
const MOST_REMEMBERED = 30_000
