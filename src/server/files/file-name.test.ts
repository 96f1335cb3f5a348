import { describe, expect, it } from 'vitest'
import { name } from '#shared/api/names.ts'
import { isOfProgram, storedName, withEnding } from './file-name.ts'

describe('the name of a file', () => {
  it.each([
    ['../../etc/x.png', 'x.png'],
    ['C:\\Users\\amy\\x.png', 'x.png'],
    ['/x.png', 'x.png'],
    ['..', ''],
    ['.htaccess', 'htaccess'],
    ['x.png. . ', 'x.png'],
    ['a\0b\r\n\tc.png', 'abc.png'],
    ['\u202egnp.exe', 'gnp.exe'],
    ['\u2066x\u2069\u200b\ufeff.png', 'x.png'],
    ['cafe\u0301.png', 'café.png'],
    ['秋季 特賣.png', '秋季 特賣.png'],
    ['%22A%22%0D%0A.png', '"A".png'],
    ['half\ud800.png', 'half\ufffd.png'],
    ['👩‍🎨.png', '👩‍🎨.png'],
    ['x.bat. .', 'x.bat'],
    [`${'x'.repeat(300)}.txt`, `${'x'.repeat(196)}.txt`],
    [`${'x'.repeat(199)}👩👩`, 'x'.repeat(199)],
    [`${'x'.repeat(196)}.bat${'y'.repeat(20)}`, `${'x'.repeat(196)}.bat`],
    [`${'x'.repeat(198)}. ${'y'.repeat(20)}`, 'x'.repeat(198)],
    ['', ''],
  ])('%j is %j', (client, own) => {
    expect(storedName(client)).toBe(own)
  })

  it.each<[string, [string, ...string[]], string]>([
    ['x.png', ['jpg', 'jpeg'], 'x.jpg'],
    ['x.JPEG', ['jpg', 'jpeg'], 'x.JPEG'],
    ['x', ['png'], 'x.png'],
    ['photo.v2', ['png'], 'photo.v2.png'],
    ['x.png.exe', ['png'], 'x.png'],
    ['x.html.svg', ['png'], 'x.png'],
    ['x.exe', ['pdf'], 'x.pdf'],
    ['.exe', ['pdf'], '.exe.pdf'],
    ['x.constructor', ['png'], 'x.constructor.png'],
  ])('%s of a kind that ends with %j is %s', (before, endings, after) => {
    expect(withEnding(before, endings)).toBe(after)
  })

  it('has 200 characters at most, with its ending, and no half ones', () => {
    expect(withEnding(`${'x'.repeat(300)}.exe`, ['png'])).toBe(`${'x'.repeat(196)}.png`)
    expect(withEnding(`${'x'.repeat(198)}.png`, ['png'])).toBe(`${'x'.repeat(196)}.png`)
    expect(withEnding(`${'x'.repeat(195)}👩👩.png`, ['png'])).toBe(`${'x'.repeat(195)}.png`)
  })

  it('is one that a person could have given it', () => {
    for (let code = 1; code < 0x3000; code++) {
      const own = storedName(`a${String.fromCharCode(code)}b.png`)
      expect([code, name(200).parse(own)]).toEqual([code, own])
    }
  })

  it('tells what a system would run', () => {
    expect(['x.exe', 'x.HTML', 'x.svg', 'x.js'].map(isOfProgram)).toEqual([true, true, true, true])
    expect(['x.pdf', 'x', 'exe', 'x.txt', 'x.csv'].map(isOfProgram)).toEqual(Array(5).fill(false))
  })
})
