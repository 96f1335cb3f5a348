import { describe, expect, it } from 'vitest'
import { testDatabase } from '#server/db/testing/database.ts'
import { pauseQuota, reservePosition, takePermit } from './rate.ts'

const { db } = await testDatabase()
const rate = { per_minute: 60, burst: 5 }

describe('the shared rate', () => {
  it('lets a burst through at once and tells the next request how long to wait', async () => {
    const waits = []
    for (let i = 0; i < 6; i++) waits.push(await takePermit(db, 'burst', rate))
    expect(waits.slice(0, 5)).toEqual([0, 0, 0, 0, 0])
    expect(waits[5]).toBeGreaterThan(0)
    expect(waits[5]).toBeLessThanOrEqual(1000)
  })

  it('lets through exactly the burst, however many workers request permits at once', async () => {
    const waits = await Promise.all(Array.from({ length: 40 }, () => takePermit(db, 'together', rate)))
    // A permit becomes available each second, and the 40 requests may take longer than one.
    const taken = waits.filter(wait => wait === 0).length
    expect(taken).toBeGreaterThanOrEqual(5)
    expect(taken).toBeLessThanOrEqual(7)
  })

  it('grants nothing while a quota is paused, and keeps the longer of two pauses', async () => {
    await pauseQuota(db, 'paused', 60_000)
    await pauseQuota(db, 'paused', 1000)
    expect(await takePermit(db, 'paused', rate)).toBeGreaterThan(50_000)
  })

  it('keeps quotas apart', async () => {
    await pauseQuota(db, 'one', 60_000)
    expect(await takePermit(db, 'other', rate)).toBe(0)
  })
})

describe('the shared window', () => {
  const window = { most: 5, window_ms: 60_000 }

  it('lets through exactly as many as fit, however many workers request permits at once', async () => {
    const waits = await Promise.all(Array.from({ length: 40 }, () => takePermit(db, 'window', window)))
    expect(waits.filter(wait => wait === 0)).toHaveLength(5)
    expect(Math.min(...waits.filter(wait => wait > 0))).toBeGreaterThan(50_000)
  })

  it('returns a permit when it is as old as the window, and not before', async () => {
    const short = { most: 3, window_ms: 500 }
    for (let sent = 0; sent < 3; sent++) expect(await takePermit(db, 'short', short)).toBe(0)
    let wait = 0
    while ((wait = await takePermit(db, 'short', short)) > 0)
      await new Promise(resolve => setTimeout(resolve, wait))
    const { permits } = await db
      .selectFrom('quota')
      .select('permits')
      .where('scope', '=', 'short')
      .executeTakeFirstOrThrow()
    expect(permits).toHaveLength(3)
    // Four have been sent: the last one at least a window after the first, which has left the window.
    expect(Number(permits[2]) - Number(permits[0])).toBeGreaterThan(0)
  })

  it('drops what no longer fits when the service grants less', async () => {
    for (let sent = 0; sent < 5; sent++) await takePermit(db, 'less', window)
    expect(await takePermit(db, 'less', { ...window, most: 2 })).toBeGreaterThan(50_000)
  })

  it('grants nothing while it is paused', async () => {
    await pauseQuota(db, 'paused window', 60_000)
    expect(await takePermit(db, 'paused window', window)).toBeGreaterThan(50_000)
  })
})

describe('the waitlist', () => {
  it('gives every run a position of its own, spaced by the rate, the first ones at once', async () => {
    const waits = await Promise.all(
      Array.from({ length: 20 }, () => reservePosition(db, 'waitlist', { per_minute: 60, burst: 5 })),
    )
    const sorted = waits.toSorted((a, b) => a - b)
    expect(sorted.slice(0, 5)).toEqual([0, 0, 0, 0, 0])
    expect(sorted[5]).toBeLessThanOrEqual(1000)
    expect(sorted[19]).toBeGreaterThan(13_000)
    expect(sorted[19]).toBeLessThanOrEqual(15_000)
  })
})
