import { describe, expect, it } from 'vitest'
import { tzNames } from '#shared/testing/tz-names.ts'
import { isSameZone } from '#shared/zone-names.ts'
import { zoneLinks } from './zone-links.ts'
import { zoneOptions } from './zone-options.ts'

const now = new Date('2026-11-20T01:00:00Z')
const optionsOf = (own: string, language: 'en' | 'zh-TW' = 'en') => zoneOptions(own, { now, language })
const optionOf = (own: string, zone: string) => optionsOf(own).find(({ value }) => value === zone)

describe('the zones to choose from', () => {
  it('have every name of the tz database, each with its other names', () => {
    const text = optionsOf('Asia/Taipei')
      .map(({ value, keywords }) => ` ${value} ${keywords} `)
      .join('')
    expect(tzNames.filter(name => !text.includes(` ${name} `))).toEqual([])
  })

  it('are each there once', () => {
    const values = optionsOf('Asia/Taipei').map(({ value }) => value)
    expect(new Set(values).size).toBe(values.length)
    expect(values).toContain('Asia/Kolkata')
    expect(values).not.toContain('Asia/Calcutta')
  })

  it('keep the name that the report has, also one that nobody knows', () => {
    expect(optionOf('Asia/Calcutta', 'Asia/Calcutta')?.label).toBe('Asia/Calcutta (UTC+05:30)')
    expect(optionOf('Asia/Calcutta', 'Asia/Kolkata')).toBeUndefined()
    expect(optionOf('Mars/Olympus', 'Mars/Olympus')).toBeDefined()
  })

  it('are found by the offset, and in Chinese by their name', () => {
    expect(optionOf('UTC', 'Asia/Taipei')?.keywords).toContain('UTC+8')
    expect(optionOf('UTC', 'Etc/GMT-8')?.label).toBe('UTC+8 · Etc/GMT-8 (UTC+08:00)')
    expect(optionsOf('UTC', 'zh-TW').find(({ value }) => value === 'Asia/Taipei')?.label).toContain('台北')
  })
})

it('names that are linked mean the same zone', () => {
  const different = zoneLinks.flatMap(([first = '', ...others]) =>
    others.filter(other => !isSameZone(first, other)).map(other => `${first} ${other}`),
  )
  expect(different).toEqual([])
})
