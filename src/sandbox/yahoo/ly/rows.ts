import type { Account } from '#sandbox/dataset/agency.ts'
import { isoOf, weekdayOf } from '#sandbox/dataset/calendar.ts'
import { type Ad, adStatus, existsOn } from '#sandbox/dataset/campaigns.ts'
import { METRICS, slotOf, withParents } from '#sandbox/dataset/metrics.ts'
import { noContacts, peopleOf } from '#sandbox/dataset/people.ts'
import { adderOf, type Totals } from '#sandbox/dataset/totals.ts'
import { adsOf, type Dataset } from '#sandbox/dataset/dataset.ts'
import {
  CONVERSIONS,
  deviceParts,
  keywordOf,
  NO_KEYWORD,
  SEARCH_PARTS,
  type YahooConversion,
} from '#sandbox/dataset/yahoo.ts'
import type { Field, Figures, Product, Subject } from './field.ts'
import { enumLabel, type Language } from './labels.ts'

export interface Filter {
  field: Field
  operator: string
  values: string[]
}

/** A report that has passed every check. */
export interface Definition {
  product: Product
  report_type: string
  account: Account
  first: number
  last: number
  fields: Field[]
  filters: Filter[]
  sort: { field: string; descending: boolean }[]
  language: Language
  include_deleted: boolean
}

export type Cell = string | number | null
export interface Report {
  rows: Cell[][]
  /** Sums over all rows; '--' where a sum says nothing. */
  total: Cell[]
}

interface Row {
  /** By the index of the field; null for metrics. */
  texts: Cell[]
  totals: Totals
  subject: string
}

/**
 * Computes the whole report: one row for each combination of the requested attributes and segments that
 * delivered.
 */
export function reportOf(definition: Definition, dataset: Dataset): Report {
  const { account, fields, filters } = definition
  const rows = [...collect(definition, dataset).values()]
  const population = dataset.population(account)
  const countsPeople = definition.report_type === 'REACH'
  const figures = (row: Row): Figures => ({
    counts: row.totals.counts,
    reach: countsPeople ? peopleOf(row.totals.contacts, population).reach : 0,
    subject: row.subject,
  })
  const valueOf = (field: Field, row: Row, index: number): Cell =>
    field.metric ? field.metric.value(figures(row)) : (row.texts[index] ?? '')
  const passing = rows.filter(row =>
    filters.every(filter => !filter.field.metric || passes(filter, valueOf(filter.field, row, -1))),
  )
  const sorted = passing.toSorted((left, right) => {
    for (const { field: name, descending } of definition.sort) {
      const index = fields.findIndex(each => each.name === name)
      const field = fields[index]
      const order = field ? compare(valueOf(field, left, index), valueOf(field, right, index)) : 0
      if (order !== 0) return descending ? -order : order
    }
    return 0
  })
  const sum: Row = { texts: [], totals: nothing(), subject: '' }
  for (const { totals } of passing) addTo(sum.totals, totals)
  return {
    rows: sorted.map(row => fields.map((field, index) => valueOf(field, row, index))),
    total: fields.map((field, index) => {
      if (index === 0 && !field.metric) return 'Total'
      return field.metric && !field.metric.is_share ? field.metric.value(figures(sum)) : '--'
    }),
  }
}

const compare = (left: Cell, right: Cell) =>
  typeof left === 'number' && typeof right === 'number'
    ? left - right
    : String(left ?? '') < String(right ?? '')
      ? -1
      : Number(String(left ?? '') > String(right ?? ''))

function collect(definition: Definition, dataset: Dataset): Map<string, Row> {
  const { account, fields, filters, product } = definition
  const { today } = dataset.moment(account)
  const needed = [...new Set([...fields, ...filters.map(({ field }) => field)])]
  const byKeyword = definition.report_type === 'KEYWORDS'
  const byDevice = needed.some(({ name }) => name === 'DEVICE')
  const parts = partsFor(product, byKeyword || byDevice)
  const totalsQuery = {
    account,
    moment: dataset.moment(account),
    slots: withParents(needed.flatMap(field => field.metric?.needs ?? [])),
    without_people: definition.report_type !== 'REACH',
    ...(parts && { parts }),
  }
  const slices = slicesOf(definition)
  const isByConversion = needed.some(({ name }) => BY_CONVERSION.has(name))
  const conversions = isByConversion ? CONVERSIONS[product] : [null]
  const rows = new Map<string, Row>()
  for (const ads of groupsOf(definition, dataset)) {
    const [ad] = ads
    if (!ad) continue
    const add = adderOf(totalsQuery, ads)
    for (const slice of slices) {
      add(slice).forEach((totals, index) => {
        const keys = parts?.[index]?.keys ?? {}
        if (!totals || (byKeyword && keys['keyword'] === NO_KEYWORD)) return
        const keyword = byKeyword ? keywordOf(account, ad.ad_set, Number(keys['keyword'])) : null
        const subject = { account, ad, keyword, today }
        for (const conversion of conversions) {
          const about = { subject, slice, device: keys['device'] ?? '', conversion }
          const own = conversion ? onlyOf(conversion, totals) : totals
          if (
            own &&
            filters.every(
              filter => filter.field.metric || passes(filter, textOf(filter.field, about, definition)),
            )
          )
            put(rows, definition, { about, totals: own })
        }
      })
    }
  }
  return rows
}

const BY_CONVERSION = new Set(['CONVERSION_NAME', 'OBJECT_OF_CONVERSION_TRACKING'])

/** What counts for one conversion; null where it has not happened. */
function onlyOf({ counts: metrics }: YahooConversion, { counts, contacts }: Totals): Totals | null {
  const own = new Float64Array(counts.length)
  for (const metric of metrics) own[slotOf[metric]] = counts[slotOf[metric]] ?? 0
  return own.some(count => count > 0) ? { counts: own, contacts } : null
}

interface About {
  subject: Subject
  slice: Slice
  device: string
  /** null where the report does not tell conversions apart. */
  conversion: YahooConversion | null
}

function put(
  rows: Map<string, Row>,
  definition: Definition,
  { about, totals }: { about: About; totals: Totals },
) {
  const texts = definition.fields.map(field => (field.metric ? null : textOf(field, about, definition)))
  const key = texts.join('\0')
  const row = rows.get(key)
  const subject = `${definition.account.id} ${definition.report_type} ${key} ${about.slice.first} ${about.slice.last}`
  if (row) addTo(row.totals, totals)
  else rows.set(key, { texts, totals, subject })
}

function textOf(
  field: Field,
  { subject, slice, device, conversion }: About,
  { product, language }: Definition,
): Cell {
  if (field.attribute) {
    const value = field.attribute(subject)
    return field.type === 'ENUM' || field.name === 'AD_TYPE'
      ? enumLabel(product, String(value), language)
      : value
  }
  switch (field.name) {
    case 'DEVICE':
      return enumLabel(product, device, language)
    case 'NETWORK':
      return enumLabel(product, 'Search site', language)
    case 'CLICK_TYPE':
      return enumLabel(product, 'Ad', language)
    case 'CONVERSION_NAME':
      return conversion?.name ?? ''
    case 'OBJECT_OF_CONVERSION_TRACKING':
      return enumLabel(product, conversion?.purpose ?? '', language)
    default:
      return timeText(field.name, slice.first, { product, language })
  }
}

const slashed = (iso: string) => iso.replaceAll('-', '/')

function timeText(
  name: string,
  day: number,
  { product, language }: Pick<Definition, 'product' | 'language'>,
) {
  const iso = isoOf(day)
  const month = Number(iso.slice(5, 7))
  switch (name) {
    case 'DAY':
      return slashed(iso)
    case 'WEEK':
      return slashed(isoOf(day - weekdayOf(day)))
    case 'MONTH':
      return slashed(iso.slice(0, 7))
    case 'QUARTER':
      return `${iso.slice(0, 4)}/${String(month - ((month - 1) % 3)).padStart(2, '0')}`
    case 'YEAR':
      return iso.slice(0, 4)
    case 'DAY_OF_WEEK':
      return enumLabel(product, WEEKDAYS[weekdayOf(day)] ?? '', language)
    default:
      return enumLabel(product, MONTHS[month - 1] ?? '', language)
  }
}

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
const TIMES = new Set(['DAY', 'WEEK', 'MONTH', 'QUARTER', 'YEAR', 'DAY_OF_WEEK', 'MONTH_OF_YEAR'])

interface Slice {
  first: number
  last: number
}

/** Runs of days that fall into the same requested periods. */
function slicesOf(definition: Definition): Slice[] {
  const times = definition.fields.filter(({ name }) => TIMES.has(name))
  const slices: Slice[] = []
  let before: string | null = null
  for (let day = definition.first; day <= definition.last; day++) {
    const key: string = times.map(({ name }) => timeText(name, day, definition)).join(' ')
    const slice = slices.at(-1)
    if (slice && key === before) slice.last = day
    else slices.push({ first: day, last: day })
    before = key
  }
  return slices
}

/** Ads with the same value of every attribute that is requested or filtered by. */
function groupsOf(definition: Definition, dataset: Dataset): Iterable<Ad[]> {
  const { account, fields, filters, include_deleted } = definition
  const { today } = dataset.moment(account)
  const names = new Set([...fields, ...filters.map(({ field }) => field)].map(({ name }) => name))
  const has = (start: string) => [...names].some(name => name.startsWith(start))
  const idOf = (ad: Ad) => {
    if (names.has('AD_ID') || names.has('AD_NAME') || names.has('AD_TYPE')) return ad.id
    if (definition.report_type === 'KEYWORDS' || has('ADGROUP_')) return ad.ad_set.id
    return has('CAMPAIGN_') ? ad.ad_set.campaign.id : ''
  }
  const ads = adsOf(dataset.campaigns(account)).filter(
    ad => existsOn(ad, today) && (include_deleted || adStatus(ad, today) !== 'DELETED'),
  )
  return Map.groupBy(ads, idOf).values()
}

const partsFor = (product: Product, cut: boolean) => {
  if (!cut) return null
  return product === 'ly_search' ? SEARCH_PARTS : deviceParts(product)
}

const nothing = (): Totals => ({ counts: new Float64Array(METRICS.length), contacts: noContacts() })

function addTo(sum: Totals, { counts, contacts }: Totals): void {
  for (let slot = 0; slot < counts.length; slot++)
    sum.counts[slot] = (sum.counts[slot] ?? 0) + (counts[slot] ?? 0)
  for (let at = 0; at < contacts.length; at++)
    sum.contacts[at] = (sum.contacts[at] ?? 0) + (contacts[at] ?? 0)
}

/** Equality is case-sensitive, containment is not. */
function passes({ operator, values }: Filter, cell: Cell): boolean {
  const text = String(cell ?? '')
  const [value = ''] = values
  switch (operator) {
    case 'EQUALS':
      return same(cell, value)
    case 'NOT_EQUALS':
      return !same(cell, value)
    case 'IN':
      return values.some(each => same(cell, each))
    case 'NOT_IN':
      return !values.some(each => same(cell, each))
    case 'CONTAINS':
      return text.toLowerCase().includes(value.toLowerCase())
    case 'GREATER_THAN':
      return Number(text) > Number(value)
    case 'GREATER_THAN_EQUALS':
      return Number(text) >= Number(value)
    case 'LESS_THAN':
      return Number(text) < Number(value)
    default:
      return Number(text) <= Number(value)
  }
}

const same = (cell: Cell, value: string) =>
  typeof cell === 'number' ? cell === Number(value) : (cell ?? '') === value
