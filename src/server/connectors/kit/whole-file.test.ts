import { expect, it } from 'vitest'
import { wholeFileTest } from './whole-file.ts'

it('believes a file that ends in a line break, and one without when it comes twice', () => {
  const isWhole = wholeFileTest()
  expect(['a,1\na,2', 'a,1\na,23', 'a,1\na,23', 'a,1\n'].map(isWhole)).toEqual([false, false, true, true])
})

it('is not one that breaks off before its last field, however often it comes', () => {
  const isWhole = wholeFileTest()
  expect([isWhole('a,b\n1,'), isWhole('a,b\n1,'), isWhole('a,b\n1,2\n')]).toEqual([false, false, true])
})

it('takes the same bytes for the same file, whichever blocks they come in', () => {
  const isWhole = wholeFileTest()
  const inBlocks = (...texts: string[]) => texts.map(text => Buffer.from(text))
  expect(isWhole(inBlocks('a\n', '1'))).toBe(false)
  expect(isWhole(inBlocks('a\n1'))).toBe(true)
  expect(isWhole(inBlocks('a\n', '1,'))).toBe(false)
  expect(isWhole(inBlocks('a\n', '1\n'))).toBe(true)
})
