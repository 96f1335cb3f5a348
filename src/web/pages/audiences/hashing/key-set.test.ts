import { expect, it } from 'vitest'
import { randomBelow, SEED } from '#server/testing/random.ts'
import { KeySet } from './key-set.ts'

it('keeps keys apart as a set does, also beyond its first size', () => {
  const below = randomBelow(SEED)
  const keys = new KeySet()
  const known = new Set<string>()
  for (let round = 0; round < 20_000; round++) {
    const [high, low] = [below(100) - 50, below(100) + 2]
    const isNew = !known.has(`${high} ${low}`)
    known.add(`${high} ${low}`)
    expect(keys.add(high, low)).toBe(isNew)
  }
  expect(known.size).toBeGreaterThan(5000)
})

it('takes the key of two zeros too', () => {
  const keys = new KeySet()
  expect([keys.add(0, 0), keys.add(0, 0)]).toEqual([true, false])
})
