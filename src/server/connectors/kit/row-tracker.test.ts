import { expect, it } from 'vitest'
import { createRowTracker } from './row-tracker.ts'

const DATES = ['2026-11-01', '2026-11-02', '2026-11-03']

it('knows a row that was yielded, and one that comes twice on the same pass', () => {
  const tracker = createRowTracker(DATES)
  const first = tracker.startPass()
  expect(first('2026-11-01', 'a')).toBe('new')
  expect(first('2026-11-01', 'a')).toBe('repeated')
  const second = tracker.startPass()
  expect(second('2026-11-01', 'a')).toBe('known')
  expect(second('2026-11-01', 'a')).toBe('repeated')
  expect(second('2026-11-02', 'a')).toBe('new')
})

it('says of any rows in any order what a list of all of them says', () => {
  const tracker = createRowTracker(DATES)
  const walkOf = new Map<string, number>()
  let state = 1
  const below = (bound: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((state / 2 ** 32) * bound)
  }
  for (let walk = 1; walk <= 4; walk += 1) {
    const check = tracker.startPass()
    for (let rows = 0; rows < 60; rows += 1) {
      const [date = '', entity] = [DATES[below(3)], `campaign ${below(20)}`]
      const last = walkOf.get(`${date} ${entity}`)
      expect(check(date, entity)).toBe(last === undefined ? 'new' : last === walk ? 'repeated' : 'known')
      walkOf.set(`${date} ${entity}`, walk)
    }
  }
})
