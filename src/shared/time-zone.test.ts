import { describe, expect, it } from 'vitest'
import { tzNames } from './testing/tz-names.ts'
import { engineZone, inZone } from './time-zone.ts'
import { cityOf, isSameZone, isTimeZone } from './zone-names.ts'

const instant = Temporal.Instant.from('2026-11-20T01:00:00Z')

describe('a time zone', () => {
  it('may be any zone or link of the tz database', () => {
    expect(tzNames.length).toBeGreaterThan(590)
    expect(tzNames.filter(name => !isTimeZone(name))).toEqual([])
  })

  it.each([
    '',
    'Mars/Olympus',
    '+08:00',
    '2026-11-20T01:00Z[Asia/Taipei]',
    'asia/taipei',
    'Etc/Unknown',
    'Factory',
  ])('is never %j', name => {
    expect(isTimeZone(name)).toBe(false)
  })

  it.each([
    ['Asia/Kolkata', 'Asia/Calcutta', true],
    ['Asia/Ho_Chi_Minh', 'Asia/Saigon', true],
    ['Europe/Kyiv', 'Europe/Kiev', true],
    ['America/Argentina/Buenos_Aires', 'America/Buenos_Aires', true],
    ['GMT', 'UTC', true],
    ['Etc/UTC', 'UTC', true],
    ['Asia/Taipei', 'Asia/Hong_Kong', false],
    ['Etc/GMT-8', 'Asia/Taipei', false],
    ['Mars/Olympus', 'UTC', false],
    ['Mars/Olympus', 'Mars/Olympus', true],
  ])('%s and %s: the same is %s', (a, b, same) => {
    expect(isSameZone(a, b)).toBe(same)
    expect(isSameZone(b, a)).toBe(same)
  })

  it('is computed by its other name where the engine knows only that, in both directions', () => {
    const old = (name: string) =>
      isTimeZone(name) && !['Europe/Kyiv', 'America/Nuuk', 'America/Coyhaique'].includes(name)
    expect(engineZone('Europe/Kyiv', old)).toBe('Europe/Kiev')
    expect(engineZone('America/Nuuk', old)).toBe('America/Godthab')
    expect(engineZone('America/Coyhaique', old)).toBe('America/Punta_Arenas')
    expect(engineZone('Europe/Kiev', name => name !== 'Europe/Kiev')).toBe('Europe/Kyiv')
    expect(engineZone('Mars/Olympus', old)).toBeNull()
  })

  it('that nobody knows has the clocks of UTC', () => {
    expect(inZone(instant, 'Mars/Olympus').toPlainTime().toString()).toBe('01:00:00')
    expect(inZone(instant, 'Etc/GMT-8').toPlainTime().toString()).toBe('09:00:00')
  })

  it.each([
    ['Asia/Taipei', 'Taipei'],
    ['America/Argentina/Buenos_Aires', 'Buenos Aires'],
    ['Etc/GMT-8', 'UTC+8'],
    ['Etc/GMT+3', 'UTC-3'],
    ['Etc/GMT-0', 'UTC'],
    ['UTC', 'UTC'],
  ])('%s is written %s', (name, city) => {
    expect(cityOf(name)).toBe(city)
  })
})
