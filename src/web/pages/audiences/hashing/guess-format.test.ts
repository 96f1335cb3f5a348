import { describe, expect, it } from 'vitest'
import { guessFormat } from './guess-format.ts'

const utf8 = (text: string) => new TextEncoder().encode(text)
/** 姓名,電話 and 王小明 with a number, as Big5 has them. */
const BIG5 = Uint8Array.from([
  0xa9, 0x6d, 0xa6, 0x57, 0x2c, 0xb9, 0x71, 0xb8, 0xdc, 0x0a, 0xa4, 0xfd, 0xa4, 0x70, 0xa9, 0xfa, 0x2c, 0x30,
])
/** 氏名,メール and やまだ, as Shift_JIS has them. */
const SHIFT_JIS = Uint8Array.from([
  0x8e, 0x81, 0x96, 0xbc, 0x2c, 0x83, 0x81, 0x81, 0x5b, 0x83, 0x8b, 0x0a, 0x82, 0xe2, 0x82, 0xdc, 0x82, 0xbe,
])
/** ﾔﾏﾀﾞ ﾀﾛｳ,1: an odd number of bytes for Big5. */
const HALF_WIDTH = Uint8Array.from([0xd4, 0xcf, 0xc0, 0xde, 0x20, 0xc0, 0xdb, 0xb3, 0x2c, 0x31])

describe('the format of a file', () => {
  it('is guessed from its bytes', () => {
    expect(guessFormat(utf8('email,phone\nmary@example.com,1'))).toEqual({
      encoding: 'utf-8',
      delimiter: ',',
    })
    expect(guessFormat(utf8('\ufeff姓名;電話\n王;1')).encoding).toBe('utf-8')
    expect(guessFormat(BIG5).encoding).toBe('big5')
    expect(guessFormat(SHIFT_JIS).encoding).toBe('shift_jis')
    expect(guessFormat(HALF_WIDTH).encoding).toBe('shift_jis')
  })

  it('is UTF-8 though the sample ends within a character', () => {
    expect(guessFormat(utf8('姓名').subarray(0, 5)).encoding).toBe('utf-8')
  })

  it.each([
    ['a\tb\n1\t2', '\t'],
    ['a;b\n1;2', ';'],
    ['a|b\n1|2', '|'],
    ['mary@example.com\nbob@example.com', ','],
    ['', ','],
  ])('has the delimiter that its lines agree on: %j', (text, delimiter) =>
    expect(guessFormat(utf8(text)).delimiter).toBe(delimiter),
  )
})
