import { describe, expect, it } from 'vitest'
import { label, ofAurora } from '#web/pages/insight-settings/testing/samples.ts'
import { labelRows, rowsLike } from './label-rows.ts'

const costOf = (rows: ReturnType<typeof labelRows>) => rows.find(({ metric }) => metric === 'cost')
const named = (text: string, facts: Parameters<typeof label>[0] = {}) =>
  label({ label: text, label_zh: text, ...facts })

describe('the metrics with their labels', () => {
  it('are those of a channel, by the catalogue’s names', () => {
    const rows = labelRows({ own: [], agency: [] }, 'fb')
    expect(costOf(rows)).toMatchObject({
      original: { en: 'Cost', 'zh-TW': '花費' },
      own: null,
      inherited: { en: 'Cost', 'zh-TW': '花費' },
      channels: ['fb'],
    })
    expect(rows.some(({ metric }) => metric === 'sessions')).toBe(false)
  })

  it('are each there once for all channels together', () => {
    const rows = labelRows({ own: [], agency: [] }, null)
    expect(new Set(rows.map(({ metric }) => metric)).size).toBe(rows.length)
    expect(costOf(rows)?.channels).toEqual(expect.arrayContaining(['fb', 'aw', 'tt']))
  })

  it('have the label of exactly this channel', () => {
    const own = [named('A'), named('B', { channel: 'fb' })]
    expect(costOf(labelRows({ own, agency: [] }, 'fb'))?.own?.label).toBe('B')
    expect(costOf(labelRows({ own, agency: [] }, null))?.own?.label).toBe('A')
    expect(costOf(labelRows({ own, agency: [] }, 'aw'))?.own).toBeNull()
  })

  it.each([
    ['the advertiser’s of all channels', [named('A', ofAurora)], [named('B', { channel: 'fb' })], 'A'],
    ['the agency’s of the channel', [], [named('B'), named('C', { channel: 'fb' })], 'C'],
    ['the agency’s of all channels', [], [named('B')], 'B'],
    ['their own', [], [named('D', { channel: 'aw' })], 'Cost'],
  ])('inherit %s', (_, own, agency, text) => {
    expect(costOf(labelRows({ own, agency }, 'fb'))?.inherited.en).toBe(text)
  })

  it('are found by id, by either name, and by their label', () => {
    const rows = labelRows({ own: [label()], agency: [] }, 'fb')
    for (const search of ['cost', '花費', 'spend', '廣告支出'])
      expect(costOf(rowsLike(rows, search))?.metric).toBe('cost')
    expect(rowsLike(rows, 'no such thing')).toEqual([])
  })
})
