import { describe, expect, it } from 'vitest'
import { lineDifference } from './line-difference.ts'

describe('two texts line by line', () => {
  it('differ in the lines that only one of them has, each as often', () => {
    const { before, after } = lineDifference('a\nb\nb\n\nc', 'b\na\nd\n')
    expect(before.filter(({ isChanged }) => isChanged).map(({ text }) => text)).toEqual(['b', 'c'])
    expect(after.filter(({ isChanged }) => isChanged).map(({ text }) => text)).toEqual(['d'])
  })
})
