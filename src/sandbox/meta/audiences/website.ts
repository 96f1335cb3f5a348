import type { Account } from '#sandbox/dataset/agency.ts'
import { hashOf } from '#sandbox/dataset/hash.ts'
import { invalid } from '#sandbox/meta/errors.ts'
import type { GraphRequest } from '#sandbox/meta/graph.ts'
import { isRecord } from '#sandbox/record.ts'
import type { Audience } from './audience.ts'
import { notEmulated } from './errors.ts'
import { type Pixel, pixelsOf } from './pixels.ts'

type WebsiteContent = Extract<Audience['content'], { subtype: 'WEBSITE' }>

const MOST_DAYS = 180
const DAY_S = 86_400

/** The visitors of a website, by what its pixel has sent. */
export function readWebsite({ parameters, dataset }: GraphRequest, account: Account): WebsiteContent {
  const days = parameters.integer('retention_days')
  const prefill = parameters.boolean('prefill') ?? false
  const rule = parameters.json('rule')
  if (days === null || days < 1 || days > MOST_DAYS) throw invalid(`retention_days must be 1 to ${MOST_DAYS}`)
  const pixels = readRule(rule, pixelsOf(account))
  const text = JSON.stringify(rule)
  const share = (1 + ((hashOf(text) >>> 0) % 40)) / 100
  return {
    subtype: 'WEBSITE',
    rule: text,
    retention_days: days,
    prefill,
    pixel_fires: pixels.every(({ fires }) => fires),
    size: prefill ? Math.round(dataset.population(account) * share * (days / MOST_DAYS)) : 0,
  }
}

/** The pixels that a rule is about. */
function readRule(rule: unknown, pixels: readonly Pixel[]): Pixel[] {
  if (!isRecord(rule)) throw invalid('Param rule must be an object')
  if (rule['exclusions'] !== undefined) throw notEmulated('rule.exclusions')
  const inclusions = groupOf(rule['inclusions'], 'rules', 'rule[inclusions]')
  return inclusions.map((each, index) => readInclusion(each, `rule[inclusions][rules][${index}]`, pixels))
}

function readInclusion(inclusion: unknown, at: string, pixels: readonly Pixel[]): Pixel {
  if (!isRecord(inclusion)) throw invalid(`${at} must be an object`)
  const { event_sources, retention_seconds, filter, ...others } = inclusion
  const unknown = Object.keys(others)[0]
  if (unknown !== undefined) throw notEmulated(`rule.inclusions.rules.${unknown}`)
  if (typeof retention_seconds !== 'number' || retention_seconds < 1 || retention_seconds > MOST_DAYS * DAY_S)
    throw invalid(`${at}[retention_seconds] must be 1 to ${MOST_DAYS * DAY_S}`)
  for (const [index, each] of groupOf(filter, 'filters', `${at}[filter]`).entries())
    readFilter(each, `${at}[filter][filters][${index}]`)
  const source: unknown = Array.isArray(event_sources) ? event_sources[0] : null
  if (!isRecord(source) || source['type'] !== 'pixel') throw invalid(`${at}[event_sources] must name a pixel`)
  const pixel = pixels.find(({ id }) => id === String(source['id']))
  if (!pixel) throw invalid(`${at}[event_sources] names a pixel that this ad account does not have`)
  return pixel
}

function readFilter(filter: unknown, at: string): void {
  if (!isRecord(filter)) throw invalid(`${at} must be an object`)
  const { field, operator, value } = filter
  if (field !== 'url' && field !== 'event') throw notEmulated(`rules about ${String(field)}`)
  const operators = field === 'url' ? ['i_contains', 'eq'] : ['eq']
  if (!operators.includes(String(operator))) throw notEmulated(`rules with ${String(operator)} for ${field}`)
  // Every address contains the empty text: so a rule says all visitors.
  const isAll = value === '' && operator === 'i_contains'
  if (typeof value !== 'string' || (value === '' && !isAll)) throw invalid(`${at}[value] must be a text`)
}

/** {"operator": "or", "rules": [...]} */
function groupOf(group: unknown, name: string, at: string): unknown[] {
  if (!isRecord(group)) throw invalid(`Param ${at} must be an object`)
  if (group['operator'] !== 'or' && group['operator'] !== 'and')
    throw invalid(`${at}[operator] must be or, and`)
  const members = group[name]
  if (!Array.isArray(members) || members.length === 0) throw invalid(`${at}[${name}] must be a list`)
  return members
}
