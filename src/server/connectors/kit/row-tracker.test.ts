import { expect, it } from 'vitest'
import { pageFrom } from '#server/connectors/testing/pages.ts'
import { createRowTracker } from './row-tracker.ts'

const DATES = ['2026-11-01', '2026-11-02', '2026-11-03']

const page = (...rows: [date: string, ...keys: string[]][]) =>
  pageFrom({
    length: rows.length,
    dates: rows.map(([date]) => date),
    dimensions: (rows[0]?.slice(1) ?? []).map((_, at) => ({ keys: rows.map(row => row[at + 1] ?? '') })),
    metrics: [],
  })

it('knows a row that was yielded, and one that comes twice on the same pass', () => {
  const tracker = createRowTracker(DATES)
  const first = tracker.startPass()
  expect(first(page(['2026-11-01', 'a']))).toEqual({ rows: [0], repeats: false })
  expect(first(page(['2026-11-01', 'a']))).toEqual({ rows: [], repeats: true })
  const second = tracker.startPass()
  expect(second(page(['2026-11-01', 'a']))).toEqual({ rows: [], repeats: false })
  expect(second(page(['2026-11-01', 'a'], ['2026-11-02', 'a']))).toEqual({ rows: [1], repeats: true })
})

it('knows rows of a single entity by their dates', () => {
  const check = createRowTracker(DATES).startPass()
  expect(check(page(['2026-11-01'], ['2026-11-02']))).toEqual({ rows: [0, 1], repeats: false })
  expect(check(page(['2026-11-02'], ['2026-11-03']))).toEqual({ rows: [1], repeats: true })
})

it.each([1, 2, 3])('says of any rows of %i keys in any order what a list of all of them says', keys => {
  const tracker = createRowTracker(DATES)
  const passOf = new Map<string, number>()
  let state = 1
  const below = (bound: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((state / 2 ** 32) * bound)
  }
  for (let pass = 1; pass <= 4; pass += 1) {
    const check = tracker.startPass()
    for (let pages = 0; pages < 12; pages += 1) {
      const rows = Array.from({ length: 1 + below(9) }, (): [string, ...string[]] => [
        DATES[below(3)] ?? '',
        ...Array.from({ length: keys }, () => `name ${below(keys === 1 ? 20 : 5)}`),
      ])
      const lasts = rows.map(row => {
        const last = passOf.get(row.join())
        passOf.set(row.join(), pass)
        return last
      })
      expect(check(page(...rows))).toEqual({
        rows: [...lasts.keys()].filter(row => lasts[row] === undefined),
        repeats: lasts.includes(pass),
      })
    }
  }
})
