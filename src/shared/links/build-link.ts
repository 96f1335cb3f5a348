import type { ErrorCode } from '#shared/errors.ts'
import type { Ga4Channel } from './channels.ts'
import { ga4ChannelOf } from './ga4-channel.ts'
import { readLanding, type Landing } from './landing.ts'
import {
  MOST_EXTRA,
  MOST_EXTRA_KEY_LENGTH,
  MOST_EXTRA_VALUE_LENGTH,
  MOST_LANDING_LENGTH,
  MOST_LINK_LENGTH,
  MOST_LINK_NAME_LENGTH,
  MOST_UTM_LENGTH,
  plainValue,
  requiredUtmFields,
  utmFields,
  type ExtraParameter,
  type UtmField,
  type UtmValues,
} from './parameters.ts'
import { partsOf } from './placeholders.ts'
import type { LinkPlatform } from './platforms.ts'
import { whyNotName, whyNotValue } from './value-problems.ts'
import type { LinkWarning } from './warnings.ts'

export interface LinkFacts extends UtmValues {
  /** Whose placeholders the values may have. */
  platform: LinkPlatform | null
  landing_url: string
  extra: readonly ExtraParameter[]
  /** Its own, which is not in it; empty: it is made of the values. */
  name?: string | undefined
}

const makingFields = ['platform', 'landing_url', 'extra', ...utmFields] as const

/** Whether a change makes another link: only then do the rules of links and of its preset apply anew. */
export const changesLink = (changes: { readonly [Field in keyof LinkFacts]?: unknown }): boolean =>
  makingFields.some(field => changes[field] !== undefined)

export interface BuiltLink {
  /** null: it cannot be made, as `problems` says. */
  link: string | null
  /** As it was entered, with its host in punycode. */
  landing_url: string
  ga4_channel: Ga4Channel
  warnings: { code: LinkWarning; field: string }[]
  /** By field; those of extra parameters as in `extra.0.key`. */
  problems: Record<string, ErrorCode[]>
  /** Nobody fills them in on paper. */
  has_placeholders: boolean
}

/** The address that people are sent to, and what there is to say about it. Never throws. */
export function buildLink(entered: LinkFacts): BuiltLink {
  const facts = trimmed(entered)
  const landing = readLanding(facts.landing_url)
  const problems = problemsOf(facts, landing)
  const parameters = parametersOf(facts)
  const { link, replaces } = landing ? assemble(landing, parameters) : { link: '', replaces: false }
  if (link.length > MOST_LINK_LENGTH) problems['link'] = ['link_too_long']
  const isMade = Object.keys(problems).length === 0
  const ofName = whyNotName(facts.name ?? '', MOST_LINK_NAME_LENGTH)
  if (ofName) problems['name'] = [ofName]
  const channel = channelOf(facts)
  const warnings = warningsOf(facts, channel)
  return {
    link: isMade ? link : null,
    landing_url: landing?.entered ?? facts.landing_url,
    ga4_channel: channel,
    warnings: replaces ? [{ code: 'replaced', field: 'landing_url' }, ...warnings] : warnings,
    problems,
    has_placeholders: partsOf(link, facts.platform).some(({ kind }) => kind === 'placeholder'),
  }
}

/** As the API reads them, so that a page says the same before. */
function trimmed(entered: LinkFacts): LinkFacts {
  const { name = '' } = entered
  const facts = { ...entered, landing_url: entered.landing_url.trim(), name: plainValue(name) }
  for (const field of utmFields) facts[field] = plainValue(facts[field])
  facts.extra = facts.extra.map(({ key, value }) => ({ key: plainValue(key), value: plainValue(value) }))
  return facts
}

function problemsOf(facts: LinkFacts, landing: Landing | null): BuiltLink['problems'] {
  const { platform } = facts
  const problems: BuiltLink['problems'] = {}
  const note = (field: string, code: ErrorCode | null) => {
    if (code) problems[field] = [code]
  }
  note('landing_url', whyNotLanding(facts.landing_url, landing))
  for (const field of utmFields)
    note(
      field,
      isMissing(field, facts)
        ? 'field_required'
        : whyNotValue(facts[field], { platform, most: MOST_UTM_LENGTH }),
    )
  if (facts.extra.length > MOST_EXTRA) note('extra', 'field_too_many')
  for (const [at, { value }] of facts.extra.entries()) {
    note(`extra.${at}.key`, whyNotKey(facts, at))
    note(`extra.${at}.value`, whyNotValue(value, { platform, most: MOST_EXTRA_VALUE_LENGTH }))
  }
  return problems
}

const isMissing = (field: UtmField, facts: UtmValues) =>
  facts[field] === '' && requiredUtmFields.some(required => required === field)

function whyNotLanding(text: string, landing: Landing | null): ErrorCode | null {
  if (text === '') return 'field_required'
  if (Math.max(text.length, landing?.entered.length ?? 0) > MOST_LANDING_LENGTH) return 'field_too_long'
  return landing ? null : 'field_invalid'
}

/** Placeholders are filled in in values alone, and the utm parameters have fields of their own. */
function whyNotKey({ extra }: LinkFacts, at: number): ErrorCode | null {
  const key = extra[at]?.key ?? ''
  if (key === '') return 'field_required'
  if (key.toLowerCase().startsWith('utm_')) return 'field_not_available'
  if (extra.findIndex(other => other.key === key) < at) return 'key_twice'
  return whyNotValue(key, { platform: null, most: MOST_EXTRA_KEY_LENGTH })
}

interface Parameter {
  key: string
  /** Encoded. */
  text: string
}

/** In the order in which they follow in the link. */
const parametersOf = ({ platform, extra, ...values }: LinkFacts): Parameter[] =>
  [
    ...utmFields.map(key => ({ key, value: values[key] })).filter(({ value }) => value !== ''),
    ...extra.filter(({ key }) => key !== ''),
  ].map(({ key, value }) => ({
    key,
    text: `${encode(key)}=${partsOf(value, platform)
      .map(({ kind, text }) => (kind === 'placeholder' ? text : encode(text)))
      .join('')}`,
  }))

/** As browsers write a query, which also encode the apostrophe. */
const encode = (text: string) => encodeURIComponent(text).replaceAll("'", '%27')

/** Whatever the landing page's query has beside our parameters stays as it is. */
function assemble({ base, query, hash }: Landing, parameters: readonly Parameter[]) {
  const keys = new Set(parameters.map(({ key }) => key))
  const isOurs = ({ key }: { key: string }) => key.toLowerCase().startsWith('utm_') || keys.has(key)
  const ours = parameters.map(({ text }) => text)
  const others = query.filter(parameter => !isOurs(parameter)).map(({ text }) => text)
  const all = [...others, ...ours]
  return {
    link: `${base}${all.length > 0 ? '?' : ''}${all.join('&')}${hash}`,
    replaces: query.some(parameter => isOurs(parameter) && !ours.includes(parameter.text)),
  }
}

/** Nobody knows what a placeholder will be filled with: it is like no word of a rule. */
const channelOf = ({ platform, ...facts }: LinkFacts): Ga4Channel => {
  const rest = (value: string) =>
    partsOf(value, platform)
      .map(({ kind, text }) => (kind === 'text' ? text : '*'))
      .join('')
  return ga4ChannelOf({
    source: rest(facts.utm_source),
    medium: rest(facts.utm_medium),
    campaign: rest(facts.utm_campaign),
  })
}

/** Ids, and the platforms' own names, are written as they are. */
const spelled = utmFields.filter(field => field !== 'utm_id' && field !== 'utm_source_platform')
const notReported = ['utm_creative_format', 'utm_marketing_tactic'] as const satisfies readonly UtmField[]

function warningsOf(facts: LinkFacts, channel: Ga4Channel): BuiltLink['warnings'] {
  const warnings: BuiltLink['warnings'] = []
  const wordsOf = (field: UtmField) =>
    partsOf(facts[field], facts.platform).flatMap(({ kind, text }) => (kind === 'text' ? [text] : []))
  for (const field of spelled) {
    const words = wordsOf(field)
    if (words.some(text => /\p{Lu}/u.test(text))) warnings.push({ code: 'capitals', field })
    if (words.some(text => /\s/.test(text))) warnings.push({ code: 'spaces', field })
  }
  for (const field of notReported) if (facts[field] !== '') warnings.push({ code: 'not_reported', field })
  const filled = (['utm_source', 'utm_medium'] as const).find(field =>
    partsOf(facts[field], facts.platform).some(({ kind }) => kind === 'placeholder'),
  )
  if (filled) warnings.push({ code: 'channel_depends', field: filled })
  else if (channel === 'Unassigned') warnings.push({ code: 'channel_unassigned', field: 'utm_medium' })
  if (facts.platform === 'google_ads') warnings.push({ code: 'auto_tagging', field: 'platform' })
  return warnings
}
