import { expect, it, vi } from 'vitest'
import { freeName, freeNamesAmong } from './rules.ts'

it('gives the first free name, however it is spelled, and no longer than names may be', () => {
  expect(freeName('Weekly', [])).toBe('Weekly')
  expect(freeName('Weekly', ['WEEKLY', 'weekly (2)', 'Weekly (4)'])).toBe('Weekly (3)')
  expect(freeName('ﬁt', ['fit'])).toBe('ﬁt (2)')
  const long = 'x'.repeat(120)
  expect(freeName(long, [long])).toBe(`${'x'.repeat(116)} (2)`)
  const hundred = Array.from({ length: 99 }, (_, nth) => (nth === 0 ? 'A' : `A (${nth + 1})`))
  expect(freeName('A', hundred)).toBe('A (100)')
})

it('gives each name once, and the same as calling it one by one', () => {
  const names = ['A', 'A', 'a', 'A (2)', 'B', 'A (2)', ...Array.from({ length: 120 }, () => 'A')]
  const taken = ['A', 'A (11)']
  const freeNameFor = freeNamesAmong(taken)
  for (const name of names) {
    const free = freeName(name, taken)
    expect(freeNameFor(name)).toBe(free)
    taken.push(free)
  }
  expect(new Set(taken.map(name => name.toLowerCase())).size).toBe(taken.length)
})

it('compares thousands of similar names a few times each, not all of them for each', () => {
  const alike = (count: number) =>
    Array.from({ length: count }, (_, nth) => 'x'.repeat(116) + String(nth).padStart(4, '0'))
  const taken = [...alike(2500), ...Array.from({ length: 2500 }, (_, nth) => `${'x'.repeat(114)} (${nth})`)]
  const normalize = vi.spyOn(String.prototype, 'normalize')
  const freeNameFor = freeNamesAmong(taken)
  const assigned = alike(2500).map(freeNameFor)
  const comparisons = normalize.mock.calls.length
  normalize.mockRestore()
  expect(new Set([...taken, ...assigned].map(name => name.toLowerCase())).size).toBe(7500)
  expect(comparisons).toBeLessThan(30_000)
})
