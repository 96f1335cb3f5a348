import type { LinkPlatform } from './platforms.ts'

/**
 * What a platform writes something else for when somebody clicks, in the values of parameters alone. Of LINE,
 * Yahoo! DSP and LY's display ads none are known.
 */
export const placeholders: Record<LinkPlatform, readonly string[]> = {
  meta: [
    '{{campaign.id}}',
    '{{adset.id}}',
    '{{ad.id}}',
    '{{campaign.name}}',
    '{{adset.name}}',
    '{{ad.name}}',
    '{{site_source_name}}',
    '{{placement}}',
  ],
  google_ads: [
    '{campaignid}',
    '{adgroupid}',
    '{creative}',
    '{keyword}',
    '{matchtype}',
    '{network}',
    '{device}',
    '{targetid}',
    '{lpurl}',
  ],
  // AID is the ad group's.
  tiktok: [
    '__CAMPAIGN_NAME__',
    '__CAMPAIGN_ID__',
    '__AID_NAME__',
    '__AID__',
    '__CID_NAME__',
    '__CID__',
    '__PLACEMENT__',
  ],
  ly_search: ['{creative}', '{keyword}', '{matchtype}', '{device}', '{targetid}', '{lpurl}'],
  ly_display: [],
  line: [],
  yahoo_dsp: [],
}

/** A piece of a value: a text, a placeholder of the platform, or one that the platform does not fill in. */
export interface ValuePart {
  kind: 'text' | 'placeholder' | 'unknown'
  text: string
}

/** The whole value in pieces, in their order. */
export function partsOf(value: string, platform: LinkPlatform | null): ValuePart[] {
  if (!MAY_HAVE_ONE.test(value)) return value === '' ? [] : [{ kind: 'text', text: value }]
  const own = platform === null ? [] : placeholders[platform]
  // Split by a pattern in a group, every other piece is what the group has matched.
  return value
    .split(LIKE_A_PLACEHOLDER)
    .map((text, at) => {
      if (at % 2 === 0) return { kind: 'text' as const, text }
      return { kind: own.includes(text) ? ('placeholder' as const) : ('unknown' as const), text }
    })
    .filter(({ text }) => text !== '')
}

/** Most values have none, and are read in no time. */
const MAY_HAVE_ONE = /\{|__/

/**
 * Any platform's, whatever stands in braces, and capitals between two underscores on each side where they
 * stand alone: names such as TW__AUTUMN__2026 are written by people.
 */
const LIKE_A_PLACEHOLDER = new RegExp(
  `(${placeholders.tiktok.join('|')}|\\{\\{[^{}]*\\}\\}|\\{[^{}]*\\}|(?<![A-Za-z0-9])__[A-Z](?:[A-Z0-9]|_(?!_))*__(?![A-Za-z0-9_]))`,
)
