import { afterEach, describe, expect, it, vi } from 'vitest'
import { drawn, isDrawn } from './random.ts'

const cases = Array.from({ length: 31 }, (_, index) => index)
const draws = Array.from({ length: 60 }, (_, index) => `draw ${index}`)

afterEach(() => {
  vi.unstubAllEnvs()
})

describe('random cases', () => {
  it('are the same for the same seed, a fraction of all', () => {
    vi.stubEnv('LONG', undefined)
    for (const about of draws) {
      expect(drawn(cases, 3, about)).toEqual(drawn(cases, 3, about))
      expect(drawn(cases, 3, about)).toHaveLength(11)
    }
    expect(drawn(['only'], 10, 'one')).toEqual(['only'])
  })

  it('have covered all after a few seeds', () => {
    vi.stubEnv('LONG', undefined)
    expect(new Set(draws.flatMap(about => drawn(cases, 3, about))).size).toBe(cases.length)
    expect(new Set(draws.map(about => isDrawn(2, about)))).toEqual(new Set([true, false]))
  })

  it('are all of them in the long form', () => {
    vi.stubEnv('LONG', '1')
    expect(drawn(cases, 3, 'any')).toEqual(cases)
    expect(draws.every(about => isDrawn(2, about))).toBe(true)
  })
})
