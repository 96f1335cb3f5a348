/** The part of fontkit that is used; it has no types of its own. */
declare module 'fontkit' {
  export interface Glyph {
    id: number
    advanceWidth: number
    codePoints: number[]
  }

  export interface Run {
    glyphs: Glyph[]
    positions: { xAdvance: number; yAdvance: number; xOffset: number; yOffset: number }[]
    advanceWidth: number
  }

  export interface PrintedFont {
    unitsPerEm: number
    hasGlyphForCodePoint(codePoint: number): boolean
    glyphForCodePoint(codePoint: number): Glyph
    layout(text: string, features?: { liga: boolean }): Run
  }

  export function create(bytes: Uint8Array): PrintedFont
}
