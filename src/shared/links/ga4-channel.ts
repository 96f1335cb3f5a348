import type { Ga4Channel } from './channels.ts'
import { sourceCategoryOf, type SourceCategory } from './ga4-sources.ts'

/**
 * The default channel group in which GA4 will count the visits of a link, foretold by Google's rules for
 * links that are tagged by hand, as of 25 November 2025: the first that applies. Empty texts are parameters
 * that are left out.
 */
export function ga4ChannelOf(traffic: Traffic): Ga4Channel {
  const source = traffic.source.toLowerCase()
  const facts: Facts = {
    source,
    medium: traffic.medium.toLowerCase(),
    campaign: traffic.campaign.toLowerCase(),
    category: sourceCategoryOf(source),
  }
  return rules.find(([, applies]) => applies(facts))?.[0] ?? 'Unassigned'
}

interface Traffic {
  source: string
  medium: string
  campaign: string
}
interface Facts extends Traffic {
  category: SourceCategory | null
}

const isPaid = ({ medium }: Facts) => /^(.*cp.*|ppc|retargeting|paid.*)$/.test(medium)
const isShopping = ({ category, campaign }: Facts) =>
  category === 'shopping' || /(^|[^a-df-z])shop|shopping/.test(campaign)
const isEmail = (text: string) => /email|e-mail|e_mail|e mail/.test(text)
const isOneOf = (...words: string[]) => {
  const known = new Set(words)
  return (text: string) => known.has(text)
}
const isDisplay = isOneOf('display', 'banner', 'expandable', 'interstitial', 'cpm')
const isSocial = isOneOf('social', 'social-network', 'social-media', 'sm', 'social network', 'social media')
const isReferral = isOneOf('referral', 'app', 'link')
const isNotSet = isOneOf('', '(none)', '(not set)')

const rules: readonly (readonly [Ga4Channel, (facts: Facts) => boolean])[] = [
  ['Direct', ({ source, medium }) => ['', '(direct)'].includes(source) && isNotSet(medium)],
  ['Cross-network', ({ campaign }) => campaign.includes('cross-network')],
  ['Paid Shopping', facts => isShopping(facts) && isPaid(facts)],
  ['Paid Search', facts => facts.category === 'search' && isPaid(facts)],
  ['Paid Social', facts => facts.category === 'social' && isPaid(facts)],
  ['Paid Video', facts => facts.category === 'video' && isPaid(facts)],
  ['Display', ({ medium }) => isDisplay(medium)],
  ['Paid Other', isPaid],
  ['Organic Shopping', isShopping],
  ['Organic Social', ({ category, medium }) => category === 'social' || isSocial(medium)],
  ['Organic Video', ({ category, medium }) => category === 'video' || medium.includes('video')],
  ['Organic Search', ({ category, medium }) => category === 'search' || medium === 'organic'],
  ['Email', ({ source, medium }) => isEmail(source) || isEmail(medium)],
  ['Affiliates', ({ medium }) => medium === 'affiliate'],
  ['Referral', ({ medium }) => isReferral(medium)],
  ['Audio', ({ medium }) => medium === 'audio'],
  ['SMS', ({ source, medium }) => source === 'sms' || medium === 'sms'],
  [
    'Mobile Push Notifications',
    ({ source, medium }) =>
      medium.endsWith('push') || /mobile|notification/.test(medium) || source === 'firebase',
  ],
]
