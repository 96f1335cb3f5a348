import { describe, expect, it } from 'vitest'
import { bodyOf, newDraft, ofAdvertiser, templateOf, withPreset } from './link-draft.ts'
import { AUTUMN, linkOf, newsletter, presetOf } from './testing/samples.ts'

const meta = presetOf()
const empty = newDraft(1)

describe('a preset', () => {
  it('gives its values and its platform', () => {
    expect(withPreset(empty, meta, null)).toMatchObject({
      preset: 3,
      platform: 'meta',
      utm_source: 'facebook',
      utm_medium: 'paid_social',
      utm_campaign: '{{campaign.name}}',
      utm_term: '',
    })
  })

  it('leaves what was written, where it is allowed', () => {
    const written = { ...empty, utm_source: 'instagram', utm_campaign: 'autumn_2026', utm_term: 'shoes' }
    expect(withPreset(written, meta, null)).toMatchObject({
      utm_source: 'instagram',
      utm_campaign: 'autumn_2026',
      utm_term: 'shoes',
    })
  })

  it('replaces what it fixes or does not allow', () => {
    const written = { ...empty, utm_source: 'google', utm_source_platform: 'Google Ads' }
    expect(withPreset(written, meta, null)).toMatchObject({
      utm_source: 'facebook',
      utm_source_platform: 'Meta Ads',
    })
  })

  it('takes its own values along when it goes', () => {
    const draft = { ...withPreset(empty, meta, null), utm_campaign: 'autumn_2026' }
    expect(withPreset(draft, newsletter, meta)).toMatchObject({
      platform: null,
      utm_source: 'newsletter',
      utm_medium: 'email',
      utm_campaign: 'autumn_2026',
      utm_content: '',
      utm_source_platform: '',
    })
    expect(withPreset(withPreset(empty, meta, null), null, meta)).toEqual(empty)
  })

  it('leaves a platform that was chosen by hand', () => {
    const draft = { ...empty, platform: 'tiktok' as const }
    expect(withPreset(draft, newsletter, null).platform).toBe('tiktok')
  })
})

describe('another advertiser', () => {
  const draft = { ...empty, preset: 4, site: 30, image: 50, file: 60, publisher: 40 }

  it('has other sites, images and files, and the same publishers', () => {
    expect(ofAdvertiser(draft, 2, meta)).toMatchObject({
      advertiser: 2,
      preset: 4,
      site: null,
      image: null,
      file: null,
      publisher: 40,
    })
  })

  it('has no preset of the one before', () => {
    expect(ofAdvertiser(draft, 2, newsletter).preset).toBeNull()
    expect(ofAdvertiser(draft, 1, newsletter).preset).toBe(4)
  })
})

describe('a template', () => {
  it('has the values of its link, and a name of its own only where somebody gave one', () => {
    expect(templateOf(linkOf())).toMatchObject({ name: '', landing_url: AUTUMN, utm_source: 'facebook' })
    expect(templateOf(linkOf({ name: 'Teaser' })).name).toBe('Teaser')
  })
})

describe('what is sent', () => {
  it('has no spaces around values and no empty parameters', () => {
    const draft = {
      ...empty,
      landing_url: ` ${AUTUMN} `,
      utm_source: ' facebook ',
      extra: [
        { key: ' coupon ', value: 'A' },
        { key: ' ', value: '' },
      ],
    }
    expect(bodyOf(draft)).toMatchObject({
      landing_url: AUTUMN,
      utm_source: 'facebook',
      extra: [{ key: 'coupon', value: 'A' }],
    })
  })

  it('needs an advertiser', () => {
    expect(bodyOf(newDraft(null))).toBeNull()
  })
})
