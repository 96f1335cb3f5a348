import { describe, expect, it } from 'vitest'
import { testDatabase } from '#server/db/testing.ts'
import { pauseScope, takeTurn } from './quota.ts'

const { db } = await testDatabase()
const pace = { per_minute: 60, burst: 5 }

describe('the shared pace', () => {
  it('lets a burst through at once and tells the next one how long to wait', async () => {
    const waits = []
    for (let i = 0; i < 6; i++) waits.push(await takeTurn(db, 'burst', pace))
    expect(waits.slice(0, 5)).toEqual([0, 0, 0, 0, 0])
    expect(waits[5]).toBeGreaterThan(0)
    expect(waits[5]).toBeLessThanOrEqual(1000)
  })

  it('lets through exactly the burst, however many workers ask at once', async () => {
    const waits = await Promise.all(Array.from({ length: 40 }, () => takeTurn(db, 'together', pace)))
    // A turn comes back each second, and the 40 questions may take longer than one.
    const taken = waits.filter(wait => wait === 0).length
    expect(taken).toBeGreaterThanOrEqual(5)
    expect(taken).toBeLessThanOrEqual(7)
  })

  it('takes nothing while a scope is paused, and keeps the longer of two pauses', async () => {
    await pauseScope(db, 'paused', 60_000)
    await pauseScope(db, 'paused', 1000)
    expect(await takeTurn(db, 'paused', pace)).toBeGreaterThan(50_000)
  })

  it('keeps scopes apart', async () => {
    await pauseScope(db, 'one', 60_000)
    expect(await takeTurn(db, 'other', pace)).toBe(0)
  })
})
