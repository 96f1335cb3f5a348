import { afterEach, describe, expect, it, vi } from 'vitest'
import { zonedText, zoneSuffix } from './zone-text.ts'

const readIn = (zone: string) => vi.spyOn(Temporal.Now, 'timeZoneId').mockReturnValue(zone)

afterEach(() => vi.restoreAllMocks())

describe('a time on other clocks', () => {
  it.each([
    ['Asia/Taipei', 'America/New_York', ' (New York)', '（New York）'],
    ['Asia/Taipei', 'Etc/GMT-9', ' (UTC+9)', '（UTC+9）'],
    ['America/New_York', 'Asia/Taipei', ' (Taipei)', '（Taipei）'],
  ])('says to a reader in %s that it is in %s', (reader, zone, en, zh) => {
    readIn(reader)
    expect(zoneSuffix(zone, 'en')).toBe(en)
    expect(zoneSuffix(zone, 'zh-TW')).toBe(zh)
  })

  it.each([
    ['Asia/Taipei', 'Asia/Taipei'],
    ['Asia/Calcutta', 'Asia/Kolkata'],
    ['Europe/Kyiv', 'Europe/Kiev'],
    ['UTC', 'GMT'],
  ])('says nothing to a reader in %s of %s, which is the same', (reader, zone) => {
    readIn(reader)
    expect(zoneSuffix(zone, 'en')).toBe('')
    expect(zonedText('2026-11-20T01:00:00Z', 'en', zone)).toBe('')
  })

  it('is written beside the one on the own clocks', () => {
    readIn('America/New_York')
    expect(zonedText('2026-11-20T01:00:00Z', 'en', 'Asia/Taipei')).toBe(' · AM 09:00 (Taipei)')
    expect(zonedText('2026-11-20T01:00:00Z', 'zh-TW', 'Asia/Taipei')).toBe(' · 上午 09:00（Taipei）')
  })
})
