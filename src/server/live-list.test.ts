import { expect, it } from 'vitest'
import { liveList } from './live-list.ts'

it('a live list has what is there when it is read, however it is read', () => {
  let items = ['a']
  const list = liveList(() => items)
  const doubled = liveList(() => list.map(each => each + each))
  expect([list.length, [...list], doubled[0]]).toEqual([1, ['a'], 'aa'])
  items = ['b', 'c']
  const [first, ...others] = list
  expect([first, others, list.map(each => each), doubled.find(each => each === 'cc')]).toEqual([
    'b',
    ['c'],
    ['b', 'c'],
    'cc',
  ])
  expect([list.filter(each => each !== 'b'), list.toSorted().length, Array.isArray(list)]).toEqual([
    ['c'],
    2,
    true,
  ])
})
