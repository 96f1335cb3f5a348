import { expect, it } from 'vitest'
import { chunked } from './chunked.ts'

it('cuts a list into pieces, in its order', () => {
  expect(chunked([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]])
  expect(chunked([1, 2], 2)).toEqual([[1, 2]])
  expect(chunked([], 2)).toEqual([])
})
