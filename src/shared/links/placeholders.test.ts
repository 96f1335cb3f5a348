import { describe, expect, it } from 'vitest'
import { buildLink } from './build-link.ts'
import { partsOf, placeholders } from './placeholders.ts'
import { linkPlatforms, type LinkPlatform } from './platforms.ts'
import { emptyValues } from './presets.ts'

const build = (platform: LinkPlatform | null, utm_content: string) =>
  buildLink({
    platform,
    landing_url: 'https://shop.aurora.demo/',
    ...emptyValues,
    utm_source: 'a',
    utm_medium: 'cpc',
    utm_campaign: 'c',
    utm_content,
    extra: [],
  })

describe('placeholders', () => {
  it.each(linkPlatforms.flatMap(platform => placeholders[platform].map(text => ({ platform, text }))))(
    'of $platform stay as they are: $text',
    ({ platform, text }) => {
      const built = build(platform, `x ${text}y`)
      expect(built.link).toMatch(new RegExp(`utm_content=x%20${RegExp.escape(text)}y$`))
      expect(built).toMatchObject({ has_placeholders: true, problems: {} })
    },
  )

  it.each([
    ['meta', '__CID__'],
    ['meta', 'ad-__CID__x'],
    ['meta', '{keyword}'],
    ['meta', '{{Campaign.Name}}'],
    ['meta', '{{campaign.name}'],
    ['google_ads', '{{ad.id}}'],
    ['google_ads', '{{keyword}}'],
    ['google_ads', '{keyword:shoes}'],
    ['google_ads', '{}'],
    ['tiktok', '{creative}'],
    ['tiktok', '__UNKNOWN__'],
    ['ly_search', '{network}'],
    ['ly_display', '{creative}'],
    ['line', '{{ad.id}}'],
    ['yahoo_dsp', '__AID__'],
    [null, '{keyword}'],
  ] as const)('of another platform than %s are refused: %s', (platform, text) => {
    expect(build(platform, text)).toMatchObject({
      link: null,
      problems: { utm_content: ['placeholder_unknown'] },
    })
  })

  it.each(['tw__autumn__2026', 'TW__AUTUMN__2026', '{', 'a}b', '__', '____', '_A_'])('are not: %s', text => {
    expect(build('tiktok', text)).toMatchObject({ problems: {}, has_placeholders: false })
  })

  it('are found beside each other and in the page’s own address', () => {
    expect(partsOf('a__CID____AID__', 'tiktok')).toEqual([
      { kind: 'text', text: 'a' },
      { kind: 'placeholder', text: '__CID__' },
      { kind: 'placeholder', text: '__AID__' },
    ])
    const built = buildLink({
      platform: 'meta',
      landing_url: 'https://shop.aurora.demo/?ad={{ad.id}}',
      ...emptyValues,
      utm_source: 'a',
      utm_medium: 'b',
      utm_campaign: 'c',
      extra: [],
    })
    expect(built.has_placeholders).toBe(true)
  })
})
