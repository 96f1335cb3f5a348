import {
  CONVERSION_ACTIONS,
  type ConversionAction,
  type GoogleCustomer,
} from '#sandbox/dataset/google-ads.ts'
import { MINOR_UNITS } from '#sandbox/dataset/agency.ts'
import { type Metric, slotOf, withParents } from '#sandbox/dataset/metrics.ts'
import { metTimes, noContacts, peopleOf } from '#sandbox/dataset/people.ts'
import type { Dataset } from '#sandbox/dataset/dataset.ts'
import { ATTRIBUTES, type Subject } from '#sandbox/google-ads/fields/attributes.ts'
import type { Field } from '#sandbox/google-ads/fields/catalogue.ts'
import { type Counted, METRIC_FIELDS, type Scope } from '#sandbox/google-ads/fields/metrics.ts'
import { SEGMENTS } from '#sandbox/google-ads/fields/segments.ts'
import type { FieldTest, Query } from '#sandbox/google-ads/gaql/check.ts'
import { addInto, emptySums, gather, type Gathering, type Label, type Sums } from './facts.ts'
import { type Slice, slicesOf } from './slices.ts'
import { groupsOf } from './subjects.ts'

/** A row that gives the value of any field of the query. */
export interface Row {
  subject: Subject
  slice: Slice | null
  label: Label
  action: ConversionAction | null
  metrics: ReadonlyMap<string, number | null>
}

export interface Report {
  rows: Row[]
  /** The metrics of all rows together, before LIMIT. */
  summary: Row
}

/** All rows of a query, sorted and limited. Without ORDER BY they keep the order of the account's tree. */
export function reportOf(query: Query, customer: GoogleCustomer, dataset: Dataset): Report {
  const plan = planOf(query, customer, dataset)
  const total = emptySums(0, {})
  const rows: Row[] = []
  for (const { subject, ads, keywords } of groupsOf(customer, query.resource, dataset)) {
    const subjects = (keywords ?? [null])
      .map(keyword => (keyword ? { ...subject, keyword } : subject))
      .filter(each => plan.attribute_tests.every(({ field, test }) => test(attributeOf(each, field.name))))
    if (subjects.length === 0) continue
    const sums = plan.gathering ? gather(plan.gathering, ads, keywords) : []
    for (const each of subjects) {
      const own = keywords ? sums.filter(({ label }) => label.keyword === each.keyword) : sums
      rows.push(...rowsOf(plan, each, { sums: own, total }))
    }
  }
  const summary = rowOf(plan, { subject: { customer, today: 0 }, sums: total, slice: null, action: null })
  return { rows: sorted(rows, query).slice(0, query.limit ?? rows.length), summary }
}

/** The value of a field on a row; undefined when it is not set. */
export function valueOf(row: Row, { name, category }: Field): unknown {
  if (category === 'ATTRIBUTE') return attributeOf(row.subject, name)
  if (category === 'METRIC') return row.metrics.get(name) ?? undefined
  switch (name) {
    case 'segments.device':
      return row.label.device
    case 'segments.ad_network_type':
      return row.label.network
    case 'segments.hour':
      return row.label.hour
    case 'segments.conversion_action':
      return row.action && `customers/${row.subject.customer.id}/conversionActions/${row.action.id}`
    case 'segments.conversion_action_name':
      return row.action?.name
    case 'segments.conversion_action_category':
      return row.action?.category
    default:
      return row.slice?.values[name]
  }
}

const attributeOf = (subject: Subject, name: string) => ATTRIBUTES.get(name)?.of(subject)

interface Plan {
  metrics: string[]
  segments: string[]
  by_action: boolean
  attribute_tests: FieldTest[]
  row_tests: FieldTest[]
  slices: Slice[]
  gathering: Gathering | null
  population: number
}

function planOf(query: Query, customer: GoogleCustomer, dataset: Dataset): Plan {
  const { today } = dataset.moment(customer)
  const fields = [...query.select, ...query.tests.map(({ field }) => field)]
  const metrics = [...new Set(fields.flatMap(({ name, category }) => (category === 'METRIC' ? [name] : [])))]
  const segments = query.select.flatMap(({ name, category }) => (category === 'SEGMENT' ? [name] : []))
  const ofMetrics = metrics.flatMap(name => METRIC_FIELDS.get(name) ?? [])
  const { slices, first, slice_of } = slicesOf(query.days, {
    segments: segments.filter(name => SEGMENTS.get(name)?.kind === 'date'),
    today,
  })
  return {
    metrics,
    segments,
    by_action: segments.some(name => SEGMENTS.get(name)?.kind === 'action'),
    attribute_tests: query.tests.filter(({ field }) => field.category === 'ATTRIBUTE'),
    row_tests: query.tests.filter(({ field }) => field.category !== 'ATTRIBUTE'),
    slices,
    gathering:
      metrics.length + segments.length === 0
        ? null
        : {
            customer,
            dataset,
            slots: withParents(ofMetrics.flatMap(({ of }) => of)),
            scopes: new Set<Scope>(['all', ...ofMetrics.map(({ scope }) => scope)]),
            needs_day_before: ofMetrics.some(each => each.needs_day_before),
            by: {
              device: segments.includes('segments.device'),
              network: segments.includes('segments.ad_network_type'),
              hour: segments.includes('segments.hour'),
              keyword: query.resource === 'keyword_view',
            },
            first,
            slices: slice_of,
          },
    population: dataset.population(customer),
  }
}

/**
 * The rows of a subject. A segment hides the rows whose metrics are all zero; without one every subject has
 * its row.
 */
function rowsOf(plan: Plan, subject: Subject, { sums, total }: { sums: Sums[]; total: Sums }): Row[] {
  const { segments, metrics, by_action, slices, row_tests, gathering } = plan
  const lines = segments.length === 0 && sums.length === 0 ? [emptySums(0, {})] : sums
  return lines.flatMap(each => {
    const rows = (by_action ? CONVERSION_ACTIONS : [null])
      .map(action => rowOf(plan, { subject, sums: each, slice: slices[each.slice] ?? null, action }))
      .filter(
        row => segments.length === 0 || metrics.length === 0 || metrics.some(name => row.metrics.get(name)),
      )
      .filter(row => row_tests.every(({ field, test }) => test(valueOf(row, field))))
    if (rows.length > 0 && gathering) mergeInto(total, each, gathering)
    return rows
  })
}

function mergeInto(total: Sums, { counts, before, contacts }: Sums, { slots, scopes }: Gathering): void {
  for (const scope of scopes) {
    const part = counts[scope]
    if (part) addInto((total.counts[scope] ??= new Float64Array(part.length)), part, slots)
  }
  if (before) addInto((total.before ??= new Float64Array(before.length)), before, slots)
  if (!contacts) return
  const met = (total.contacts ??= noContacts())
  for (const [index, contact] of contacts.entries()) met[index] = (met[index] ?? 0) + contact
}

function rowOf(
  { metrics, population }: Plan,
  { subject, sums, slice, action }: Pick<Row, 'subject' | 'slice' | 'action'> & { sums: Sums },
): Row {
  const counted: Counted = {
    count: (metric: Metric, scope) => sums.counts[scope]?.[slotOf[metric]] ?? 0,
    dayBefore: metric => sums.before?.[slotOf[metric]] ?? 0,
    people: times =>
      times === 1
        ? peopleOf(sums.contacts ?? NOBODY, population).reach
        : metTimes(sums.contacts ?? NOBODY, population, times),
    minor_units: MINOR_UNITS[subject.customer.currency],
    actions: action ? [action] : CONVERSION_ACTIONS,
    quality_score: subject.keyword?.quality_score ?? null,
  }
  const values = metrics.map((name): [string, number | null] => {
    const metric = METRIC_FIELDS.get(name)
    const none = !metric || (metric.scope !== 'all' && !sums.counts[metric.scope])
    return [name, none ? null : metric.value(counted)]
  })
  return { subject, slice, label: sums.label, action, metrics: new Map(values) }
}

const NOBODY = noContacts()

function sorted(rows: Row[], { order }: Query): Row[] {
  if (order.length === 0) return rows
  const keyed = rows.map(row => ({ row, keys: order.map(({ field }) => valueOf(row, field)) }))
  keyed.sort((left, right) => {
    for (const [index, { descending }] of order.entries()) {
      const difference = compare(left.keys[index], right.keys[index])
      if (difference !== 0) return descending ? -difference : difference
    }
    return 0
  })
  return keyed.map(({ row }) => row)
}

function compare(left: unknown, right: unknown): number {
  if (left === undefined || right === undefined) return left === right ? 0 : left === undefined ? -1 : 1
  if (typeof left === 'number' && typeof right === 'number') return left - right
  const [one, other] = [String(left), String(right)]
  if (/^\d+$/.test(one) && /^\d+$/.test(other) && one.length !== other.length)
    return one.length - other.length
  return one < other ? -1 : one > other ? 1 : 0
}
