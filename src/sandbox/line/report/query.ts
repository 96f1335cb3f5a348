import { dayOf, isoOf, monthsBefore } from '#sandbox/dataset/calendar.ts'
import { LINE_PARTS, type LineAccount } from '#sandbox/dataset/line.ts'
import type { Part } from '#sandbox/dataset/split.ts'
import type { Kind } from '#sandbox/line/entities.ts'
import { refused } from '#sandbox/line/errors.ts'
import type { Days } from './facts.ts'
import { LOCALES, type Locale } from './labels.ts'

export const LEVELS = ['ADACCOUNT', 'CAMPAIGN', 'ADGROUP', 'AD'] as const
export type Level = (typeof LEVELS)[number]
export const KINDS: Record<Level, Kind | null> = {
  ADACCOUNT: null,
  CAMPAIGN: 'campaign',
  ADGROUP: 'adgroup',
  AD: 'ad',
}

/** A performance report as it was requested, valid as a whole. */
export interface ReportQuery {
  level: Level
  days: Days
  daily: boolean
  cut: { by: keyof typeof LINE_PARTS; parts: readonly Part[]; is_delivery: boolean } | null
  with_removed: boolean
  excel: boolean
  locale: Locale
  /** What the list of reports shows of it. */
  echo: Record<string, unknown>
}

const FIELDS = [
  'level',
  'since',
  'until',
  'breakdown',
  'filtering',
  'includeRemove',
  'fileFormat',
  'locale',
  'onlyCarouselSlot',
]
const BREAKDOWNS = ['time', 'delivery', 'byServiceGroup', 'specific']
const DELIVERIES = [
  'os',
  'gender',
  'age',
  'area',
  'interest',
  'behavior',
  'status',
  'purchase_intent',
] as const
const SPECIFICS = { CAROUSEL: 'carousel', IMAGE_SIZE: 'image_size' } as const
const YEARS = 5

interface About {
  account: LineAccount
  today: number
  /** A switch: refuses more than a month, as the error catalogue hints at. */
  one_month: boolean
}

/** Reads the body of a new report. */
export function readQuery(body: unknown, about: About): ReportQuery {
  const fields = objectOf(body, 'body', FIELDS)
  const level = oneOf(fields['level'], 'level', LEVELS)
  const { daily, cut } = readBreakdown(fields, level, about.account)
  readFiltering(fields['filtering'], about.account)
  const excel = oneOf(fields['fileFormat'], 'fileFormat', ['CSV', 'CSV_EXCEL']) === 'CSV_EXCEL'
  const locale = fields['locale'] === undefined ? 'ja' : oneOf(fields['locale'], 'locale', LOCALES)
  const days = readDays(textOf(fields['since'], 'since'), textOf(fields['until'], 'until'), about)
  const with_removed = flagOf(fields['includeRemove'], 'includeRemove')
  const { onlyCarouselSlot: _, ...rest } = fields
  return {
    level,
    days,
    daily,
    cut,
    with_removed,
    excel,
    locale,
    echo: {
      ...rest,
      since: isoOf(days.first),
      until: isoOf(days.last),
      includeRemove: with_removed,
      locale,
    },
  }
}

function readBreakdown(
  fields: Record<string, unknown>,
  level: Level,
  account: LineAccount,
): Pick<ReportQuery, 'daily' | 'cut'> {
  const breakdown =
    fields['breakdown'] === undefined ? {} : objectOf(fields['breakdown'], 'breakdown', BREAKDOWNS)
  const daily =
    breakdown['time'] !== undefined && oneOf(breakdown['time'], 'breakdown.time', ['DAY']) === 'DAY'
  const cuts: ReportQuery['cut'][] = []
  if (breakdown['delivery'] !== undefined) {
    const by = oneOf(breakdown['delivery'], 'breakdown.delivery', DELIVERIES)
    if (level === 'AD') throw refused('CANNOT_SPECIFY_DELIVERY_TYPE_ON_AD_REPORT', 'breakdown.delivery')
    cuts.push({ by, parts: LINE_PARTS[by], is_delivery: true })
  }
  if (flagOf(breakdown['byServiceGroup'], 'breakdown.byServiceGroup')) {
    if (level === 'AD' || account.country === 'TH') throw illegal('breakdown.byServiceGroup')
    cuts.push({ by: 'service_group', parts: LINE_PARTS.service_group, is_delivery: false })
  }
  const onlySlot = flagOf(fields['onlyCarouselSlot'], 'onlyCarouselSlot')
  if (breakdown['specific'] !== undefined || onlySlot) {
    const specific = oneOf(breakdown['specific'] ?? 'CAROUSEL', 'breakdown.specific', [
      'CAROUSEL',
      'IMAGE_SIZE',
    ])
    if (level !== 'AD') throw illegal('breakdown.specific')
    cuts.push({ by: SPECIFICS[specific], parts: LINE_PARTS[SPECIFICS[specific]], is_delivery: false })
  }
  if (cuts.length > 1) throw illegal('breakdown')
  return { daily, cut: cuts[0] ?? null }
}

/** By account only, and only by the account of the path. */
function readFiltering(value: unknown, account: LineAccount): void {
  if (value === undefined) throw refused('REQUIRED', 'filtering')
  const { idType, ids } = objectOf(value, 'filtering', ['idType', 'ids'])
  oneOf(idType, 'filtering.idType', ['ADACCOUNT'])
  if (ids === undefined) throw refused('REQUIRED', 'filtering.ids')
  if (!Array.isArray(ids)) throw refused('INVALID_FORMAT', 'filtering.ids')
  if (ids.length !== 1 || ids[0] !== account.id) throw refused('INVALID_ACCOUNT_ID', 'filtering.ids')
}

/** Both days included; three months up to today by default. */
export function readDays(
  since: string | null,
  until: string | null,
  { today, one_month }: Pick<About, 'today' | 'one_month'>,
): Days {
  const first = since === null ? monthsBefore(today, 3) : dayOf(since)
  const last = until === null ? today : dayOf(until)
  if (first === null) throw refused('INVALID_DATE_FORMAT', 'since')
  if (last === null) throw refused('INVALID_DATE_FORMAT', 'until')
  if (last < first) throw refused('REQUEST_INPUT_START_END_DATE_REVERSED', 'since')
  if (last > today) throw refused('REQUEST_INPUT_FUTURE', 'until')
  if (first < monthsBefore(today, 12 * YEARS)) throw refused('REQUEST_INPUT_START_DATE_TOO_PAST', 'since')
  if (one_month && first < monthsBefore(last + 1, 1)) {
    throw refused('REQUEST_INPUT_PERIOD_LONGER_THAN_ONE_MONTH', 'since')
  }
  return { first, last }
}

function objectOf(value: unknown, name: string, known: readonly string[]): Record<string, unknown> {
  if (!isRecord(value)) throw refused('INVALID_REQUEST', name)
  const unknown = Object.keys(value).find(key => !known.includes(key))
  if (unknown !== undefined)
    throw refused('INVALID_REQUEST', name === 'body' ? unknown : `${name}.${unknown}`)
  return value
}

function oneOf<Choice extends string>(value: unknown, name: string, choices: readonly Choice[]): Choice {
  if (value === undefined || value === null) throw refused('REQUIRED', name)
  const chosen = choices.find(choice => choice === value)
  if (chosen === undefined) throw refused('INVALID_ENUM', name)
  return chosen
}

function textOf(value: unknown, name: string): string | null {
  if (value === undefined) return null
  if (typeof value !== 'string') throw refused('INVALID_FORMAT', name)
  return value
}

function flagOf(value: unknown, name: string): boolean {
  if (value === undefined) return false
  if (typeof value !== 'boolean') throw refused('INVALID_FORMAT', name)
  return value
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const illegal = (name: string) => refused('REQUEST_ILLEGAL_ARGUMENT', name)
