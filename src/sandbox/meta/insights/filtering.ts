import { adSetStatus, adStatus, campaignStatus, type Ad, nameOn } from '#sandbox/dataset/campaigns.ts'
import { invalid } from '#sandbox/meta/errors.ts'
import { isRecord } from '#sandbox/record.ts'

export const LEVELS = ['account', 'campaign', 'adset', 'ad'] as const
export type Level = (typeof LEVELS)[number]

export interface Filters {
  /** Whether an ad counts, by the names, ids and statuses of itself and what it is in. */
  keeps(ad: Ad): boolean
  /** Whether a row is shown, by its numbers. */
  keepsRow(row: Record<string, unknown>): boolean
  /** Metric fields that must be on the row for keepsRow. */
  row_fields: string[]
}

interface Filter {
  field: string
  operator: string
  value: unknown
}

const OPERATORS = [
  'EQUAL',
  'NOT_EQUAL',
  'GREATER_THAN',
  'GREATER_THAN_OR_EQUAL',
  'LESS_THAN',
  'LESS_THAN_OR_EQUAL',
  'IN_RANGE',
  'NOT_IN_RANGE',
  'CONTAIN',
  'NOT_CONTAIN',
  'CONTAINS_ANY',
  'CONTAINS_ALL',
  'NOT_CONTAINS_ANY',
  'STEM_MATCH',
  'IN',
  'NOT_IN',
  'STARTS_WITH',
  'ENDS_WITH',
  'ANY',
  'ALL',
  'AFTER',
  'BEFORE',
  'ON_OR_AFTER',
  'ON_OR_BEFORE',
  'NONE',
  'TOP',
]

/**
 * Reads `filtering`. As soon as there is any, deleted and archived objects of the requested level are left
 * out, unless the filters name that level's effective_status themselves.
 */
export function filtersOf(value: unknown, level: Level, today: number): Filters {
  const filters = value === null ? [] : readFilters(value)
  const objects: ((ad: Ad) => boolean)[] = []
  const rows: { name: string; test: (value: string | null) => boolean }[] = []
  for (const filter of filters) {
    const dotted = /^(campaign|adset|ad)\.(id|name|effective_status)$/.exec(filter.field)
    if (dotted) {
      const [kind, of] = [
        dotted[1] as 'campaign' | 'adset' | 'ad',
        dotted[2] as 'id' | 'name' | 'effective_status',
      ]
      refuseFiner(filter, kind, level)
      const test = textTest(filter, of)
      objects.push(ad => test(textOf(ad, kind, { of, today })))
      continue
    }
    const name = filter.field.replace(/^(campaign|adset|ad)\./, '')
    if (!NUMBERS.has(name)) throw unsupported(filter)
    rows.push({ name, test: numberTest(filter) })
  }
  const statusLevel = level === 'account' ? 'campaign' : level
  if (filters.length > 0 && !filters.some(filter => filter.field === `${statusLevel}.effective_status`)) {
    objects.push(
      ad => !['DELETED', 'ARCHIVED'].includes(textOf(ad, statusLevel, { of: 'effective_status', today })),
    )
  }
  return {
    keeps: ad => objects.every(test => test(ad)),
    keepsRow: row => rows.every(({ name, test }) => test(typeof row[name] === 'string' ? row[name] : null)),
    row_fields: rows.map(({ name }) => name),
  }
}

const NUMBERS = new Set([
  'impressions',
  'clicks',
  'spend',
  'reach',
  'frequency',
  'ctr',
  'cpc',
  'cpm',
  'unique_clicks',
  'inline_link_clicks',
])

export function readFilters(value: unknown): Filter[] {
  if (!Array.isArray(value)) throw invalid('Param filtering must be an array')
  return value.map((entry: unknown, index) => {
    if (!isRecord(entry)) throw invalid(`Param filtering[${index}] must be an object`)
    const { field, operator, value: expected, ...rest } = entry
    const unknown = Object.keys(rest)[0]
    if (unknown !== undefined) throw invalid(`Param filtering[${index}] has an unexpected key "${unknown}"`)
    if (typeof field !== 'string') throw invalid(`Param filtering[${index}][field] must be a string`)
    if (typeof operator !== 'string' || !OPERATORS.includes(operator)) {
      throw invalid(`Param filtering[${index}][operator] must be one of {${OPERATORS.join(', ')}}`)
    }
    if (expected === undefined) throw invalid(`Param filtering[${index}][value] is required`)
    return { field, operator, value: expected }
  })
}

function refuseFiner(filter: Filter, kind: 'campaign' | 'adset' | 'ad', level: Level): void {
  const finest = Math.max(LEVELS.indexOf(level), LEVELS.indexOf('campaign'))
  if (LEVELS.indexOf(kind) > finest)
    throw invalid(`Filtering field ${filter.field} is not available at level ${level}`)
}

function textOf(
  ad: Ad,
  kind: 'campaign' | 'adset' | 'ad',
  { of, today }: { of: 'id' | 'name' | 'effective_status'; today: number },
): string {
  const { campaign } = ad.ad_set
  const node = kind === 'campaign' ? campaign : kind === 'adset' ? ad.ad_set : ad
  if (of === 'id') return node.id
  if (of === 'name') return nameOn(node, today)
  if (kind === 'campaign') return campaignStatus(campaign, today)
  return kind === 'adset' ? adSetStatus(ad.ad_set, today) : adStatus(ad, today)
}

/** Parts of names are found whatever their case and width: more than a strict rule would find. */
const loosely = (text: string) => text.normalize('NFKC').toLowerCase()

export function textTest(filter: Filter, of: 'id' | 'name' | 'effective_status'): (text: string) => boolean {
  const { operator, value } = filter
  if (operator === 'IN' || operator === 'NOT_IN') {
    if (!Array.isArray(value))
      throw invalid(`Filtering value of ${filter.field} must be an array for ${operator}`)
    const expected = new Set(value.map(String))
    return text => expected.has(text) === (operator === 'IN')
  }
  if (typeof value !== 'string' && typeof value !== 'number') {
    throw invalid(`Filtering value of ${filter.field} must be a string for ${operator}`)
  }
  const expected = String(value)
  if (operator === 'EQUAL') return text => text === expected
  if (operator === 'NOT_EQUAL') return text => text !== expected
  if (of !== 'name') throw unsupported(filter)
  const loose = loosely(expected)
  switch (operator) {
    case 'CONTAIN':
      return text => loosely(text).includes(loose)
    case 'NOT_CONTAIN':
      return text => !loosely(text).includes(loose)
    case 'STARTS_WITH':
      return text => loosely(text).startsWith(loose)
    case 'ENDS_WITH':
      return text => loosely(text).endsWith(loose)
    default:
      throw unsupported(filter)
  }
}

function numberTest(filter: Filter): (value: string | null) => boolean {
  const expected = Number(filter.value)
  if (Array.isArray(filter.value) || filter.value === '' || !Number.isFinite(expected)) {
    throw invalid(`Filtering value of ${filter.field} must be a number for ${filter.operator}`)
  }
  const compare: Record<string, (number: number) => boolean> = {
    EQUAL: number => number === expected,
    NOT_EQUAL: number => number !== expected,
    GREATER_THAN: number => number > expected,
    GREATER_THAN_OR_EQUAL: number => number >= expected,
    LESS_THAN: number => number < expected,
    LESS_THAN_OR_EQUAL: number => number <= expected,
  }
  const test = compare[filter.operator]
  if (!test) throw unsupported(filter)
  return value => test(Number(value ?? 0))
}

const unsupported = ({ field, operator }: Filter) =>
  invalid(`Filtering field ${field} with operation ${operator.toLowerCase()} is not supported`)
