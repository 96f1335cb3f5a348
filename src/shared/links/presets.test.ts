import { describe, expect, it } from 'vitest'
import { applyPreset, linkNameOf, problemsOfPreset, type LinkPresetFacts } from './presets.ts'

const preset: LinkPresetFacts = {
  platform: 'meta',
  values: { utm_source: 'facebook', utm_medium: 'paid_social', utm_source_platform: 'Meta Ads' },
  locked: ['utm_source_platform', 'utm_term'],
  allowed: { utm_source: ['facebook', 'instagram'], utm_content: ['a', 'b'] },
}

describe('a preset', () => {
  it('gives what nobody has entered', () => {
    const { facts, problems } = applyPreset(preset, { utm_campaign: ' autumn ' })
    expect(problems).toEqual({})
    expect(facts).toMatchObject({
      platform: 'meta',
      utm_source: 'facebook',
      utm_medium: 'paid_social',
      utm_campaign: 'autumn',
      utm_source_platform: 'Meta Ads',
      utm_content: '',
    })
  })

  it('takes what is entered, also that a parameter is left out', () => {
    const { facts, problems } = applyPreset(preset, {
      platform: null,
      utm_source: ' instagram',
      utm_medium: '',
      utm_content: '',
    })
    expect(problems).toEqual({})
    expect(facts).toMatchObject({ platform: null, utm_source: 'instagram', utm_medium: '', utm_content: '' })
  })

  it('forbids other values of locked fields, and values that it does not have', () => {
    expect(
      applyPreset(preset, {
        utm_source: 'Facebook',
        utm_content: 'c',
        utm_source_platform: '',
        utm_term: 'x',
      }).problems,
    ).toEqual({
      utm_source: ['value_not_allowed'],
      utm_content: ['value_not_allowed'],
      utm_source_platform: ['value_locked'],
      utm_term: ['value_locked'],
    })
  })

  it('is not needed', () => {
    expect(applyPreset(null, { utm_source: 'x' })).toMatchObject({
      facts: { platform: null, utm_source: 'x', utm_medium: '' },
      problems: {},
    })
  })
})

describe('a preset that no link could follow', () => {
  it.each<[string, Partial<LinkPresetFacts>, object]>([
    ['is fine', {}, {}],
    [
      'has a value that it does not allow',
      { values: { utm_source: 'line' } },
      { 'values.utm_source': ['value_not_allowed'] },
    ],
    [
      'locks what a link needs, without a value',
      { locked: ['utm_campaign', 'utm_id'] },
      { 'values.utm_campaign': ['field_required'] },
    ],
    [
      'has placeholders of another platform',
      { values: { utm_id: '{keyword}' }, allowed: { utm_term: ['{{ad.id}}', '__AID__'] } },
      { 'values.utm_id': ['placeholder_unknown'], 'allowed.utm_term': ['placeholder_unknown'] },
    ],
    [
      'has personal data',
      { values: { utm_id: 'amy@mail.demo' }, allowed: {} },
      { 'values.utm_id': ['personal_data'] },
    ],
  ])('%s', (_, changes, problems) => {
    expect(problemsOfPreset({ ...preset, ...changes })).toEqual(problems)
  })
})

describe('the name of a link', () => {
  it('is its source and campaign', () => {
    expect(linkNameOf({ utm_source: 'facebook', utm_campaign: ' autumn ' })).toBe('facebook · autumn')
    expect(linkNameOf({ utm_source: '', utm_campaign: 'autumn' })).toBe('autumn')
    expect(linkNameOf({ utm_source: 'x'.repeat(100), utm_campaign: 'y'.repeat(100) })).toHaveLength(120)
    expect(linkNameOf({ utm_source: 'x'.repeat(100), utm_campaign: `${'y'.repeat(16)}😀` })).toHaveLength(119)
  })
})
