import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { breakLines, cutLine, type Line } from './lines.ts'
import { printable } from './printable.ts'
import { openTypefaces } from './typefaces.ts'

const typefaces = openTypefaces()
const textOf = ({ parts }: Line) => parts.map(({ text }) => text).join('')
/** Lines of so many Chinese characters. */
const lines = (text: string, characters: number) => breakLines(text, characters * 1000, typefaces).map(textOf)

describe('breaking lines', () => {
  it('goes between Chinese characters, and nowhere else than at spaces between Latin words', () => {
    expect(lines('委刊單經雙方簽章後生效', 5)).toEqual(['委刊單經雙', '方簽章後生', '效'])
    expect(lines('the order is in force', 5)).toEqual(['the order', 'is in force'])
    expect(lines('投放Google廣告', 4)).toEqual(['投放', 'Google', '廣告'])
  })

  it('begins no line with 、。」） and ends none with 「（', () => {
    expect(lines('一二三四五。六', 5)).toEqual(['一二三四', '五。六'])
    expect(lines('一二三四五」、六', 5)).toEqual(['一二三四', '五」、六'])
    expect(lines('一二三四（五）', 5)).toEqual(['一二三四', '（五）'])
    expect(lines('單価は１０％です', 4)).toEqual(['單価は１', '０％です'])
  })

  it('keeps amounts and their signs together', () => {
    expect(lines('金額 $1,234,567', 5)).toEqual(['金額', '$1,234,567'])
    expect(lines('2026/11/01 –\n2026/11/30', 9)).toEqual(['2026/11/01 –', '2026/11/30'])
  })

  it('breaks a word that is wider than a line by characters', () => {
    expect(lines('x'.repeat(30), 5).join('')).toBe('x'.repeat(30))
    expect(lines('x'.repeat(30), 5).length).toBeGreaterThan(2)
    expect(lines('。'.repeat(7), 3)).toEqual(['。。。', '。。。', '。'])
  })

  it('keeps line breaks, and empty lines between paragraphs', () => {
    expect(lines('一\r\n\r\n二\n', 5)).toEqual(['一', '', '二'])
  })

  it('takes quotation marks that are narrow beside Latin, and those of a square beside Chinese', () => {
    const partsOf = (text: string) =>
      breakLines(text, 100_000, typefaces)[0]?.parts.map(part => `${part.typeface} ${part.text}`)
    expect(partsOf('the month’s')).toEqual(['tc the month', 'jp ’', 'tc s'])
    expect(partsOf('“Google”')).toEqual(['jp “', 'tc Google', 'jp ”'])
    expect(partsOf('“委刊”')).toEqual(['tc “委刊”'])
  })

  it('cuts one line with dots', () => {
    const cut = (text: string) => textOf(cutLine(text, 5000, typefaces))
    expect([cut('一二三四五'), cut('一二三四五六'), cut('the order is in force')]).toEqual([
      '一二三四五',
      '一二三四…',
      'the...',
    ])
  })

  it('loses no letter and is never wider than the line, whatever the text', () => {
    const texts = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), CHINESE)
    fc.assert(
      fc.property(texts, fc.integer({ min: 1000, max: 20_000 }), (text, width) => {
        const broken = breakLines(text, width, typefaces)
        const bare = (each: string) => each.replaceAll(/[ \n]/g, '')
        expect(bare(broken.map(textOf).join(''))).toBe(bare(printable(text)))
        for (const line of broken) expect(line.width <= width || [...textOf(line)].length === 1).toBe(true)
      }),
    )
  })
})

describe('what is printed of a text', () => {
  it('is one character for a picture of several, and nothing of what has no shape', () => {
    expect(printable('👨‍👩‍👧🇹🇼👍🏽')).toBe('👨🇹👍')
    expect(printable('a\u0000\u200b\u202eb\u2066\ufeffc\ufe0f\u00ad')).toBe('abc')
    expect(printable('\ud800a')).toBe('\ufffda')
  })

  it('is the composed character where there is one, and other characters as they are', () => {
    expect(printable('e\u0301')).toBe('é')
    // A compatibility character is the way in which somebody writes their name.
    expect(printable('神')).toBe('神')
  })
})

const CHINESE = fc
  .array(fc.constantFrom(...'委刊單，。「」（）Aa 1-/検😀'), { maxLength: 60 })
  .map(characters => characters.join(''))
