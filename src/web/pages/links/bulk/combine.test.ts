import { describe, expect, it } from 'vitest'
import { AUTUMN, presetOf } from '#web/pages/links/testing/samples.ts'
import { checkedRow } from './bulk-rows.ts'
import { combine, countOf, factorsOf, NO_LISTS } from './combine.ts'

const common = { advertiser: 1, preset: null }
const lists = {
  ...NO_LISTS,
  landing_url: AUTUMN,
  utm_source: ['facebook', 'instagram', 'line'],
  utm_medium: ['paid_social'],
  utm_campaign: ['autumn'],
  utm_content: ['a', 'b', 'c', 'd'],
}

describe('lists', () => {
  it('are multiplied: three sources and four contents are twelve links', () => {
    expect(factorsOf(lists)).toEqual([3, 1, 1, 4])
    expect([countOf(lists), countOf(NO_LISTS)]).toEqual([12, 0])
    const links = combine(lists, common).map(draft => checkedRow(draft, null).link)
    expect(links).toHaveLength(12)
    expect(new Set(links).size).toBe(12)
    expect(links[5]).toBe(
      `${AUTUMN}?utm_source=instagram&utm_medium=paid_social&utm_campaign=autumn&utm_content=b`,
    )
  })

  it('name each link by what distinguishes it', () => {
    expect(combine(lists, common).map(({ name }) => name)[5]).toBe('instagram · autumn · b')
    const single = { ...lists, utm_content: ['a'] }
    expect(combine(single, common).map(draft => checkedRow(draft, null).name)).toEqual([
      'facebook · autumn',
      'instagram · autumn',
      'line · autumn',
    ])
  })

  it('that are empty are what the preset says', () => {
    const [draft] = combine({ ...NO_LISTS, landing_url: AUTUMN }, { advertiser: 1, preset: presetOf() })
    expect(draft).toMatchObject({
      utm_source: 'facebook',
      utm_campaign: '{{campaign.name}}',
      platform: 'meta',
    })
  })
})

describe('a row', () => {
  it('says what is wrong with it, by the rules of links and of its preset', () => {
    const preset = presetOf()
    const [draft] = combine(
      { ...lists, utm_source: ['google'], utm_content: ['amy@mail.demo'] },
      { advertiser: 1, preset },
    )
    expect(draft && checkedRow(draft, preset)).toMatchObject({
      link: null,
      problems: [
        { field: 'utm_source', code: 'value_not_allowed' },
        { field: 'utm_content', code: 'personal_data' },
      ],
    })
  })
})
