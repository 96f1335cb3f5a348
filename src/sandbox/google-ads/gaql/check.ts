import { queryError } from '#sandbox/google-ads/errors.ts'
import {
  type Field,
  findField,
  goesWith,
  isResource,
  standTogether,
} from '#sandbox/google-ads/fields/catalogue.ts'
import { resourceOf } from '#sandbox/google-ads/fields/attributes.ts'
import type { Resource } from '#sandbox/google-ads/fields/field.ts'
import { METRIC_FIELDS } from '#sandbox/google-ads/fields/metrics.ts'
import { CORE_DATES } from '#sandbox/google-ads/fields/segments.ts'
import { checkCondition, type Test, testOf } from './conditions.ts'
import { checkHistory, type DayFilter, dayFilterOf } from './dates.ts'
import { type ParsedQuery, parseQuery } from './parse.ts'

export interface FieldTest {
  field: Field
  test: Test
}

/** A valid query. */
export interface Query {
  text: string
  resource: Resource
  select: Field[]
  /** Conditions on attributes, segments and metrics; those on core date segments are in `days`. */
  tests: FieldTest[]
  days: DayFilter
  order: { field: Field; descending: boolean }[]
  limit: number | null
  omits_names: boolean
}

/** Reads a query for a customer and checks it against the catalogue; refuses with the codes of queryError. */
export function readQuery(
  text: string,
  { today, version, manager }: { today: number; version: string; manager: boolean },
): Query {
  const parsed = parseQuery(text)
  const resource = resourceFrom(parsed)
  const select = parsed.select.map(name => fieldNamed(name, resource, 'SELECT'))
  const where = parsed.where.map(condition => ({
    condition,
    field: fieldNamed(condition.field, resource, 'WHERE'),
  }))
  for (const { condition, field } of where) checkCondition(condition, field)
  const filtered = where.map(({ field }) => field)
  const order = orderOf(parsed, select, resource)
  checkSelected(filtered, select)
  checkCombinations([...select, ...filtered], manager)
  const onDays = where.filter(({ field }) => CORE_DATES.has(field.name))
  const days = dayFilterOf(
    onDays.map(({ condition }) => condition),
    today,
  )
  checkDays(days, { select, filtered, today, version })
  return {
    text,
    resource,
    select: [...new Set(select)],
    tests: where
      .filter(({ field }) => !CORE_DATES.has(field.name))
      .map(({ condition, field }) => ({ field, test: testOf(condition, field) })),
    days,
    order,
    limit: parsed.limit,
    omits_names: parsed.parameters.get('omit_unselected_resource_names') === 'true',
  }
}

function resourceFrom({ from }: ParsedQuery): Resource {
  if (from === null) throw queryError('EXPECTED_FROM', 'Error in query: expected FROM.')
  if (isResource(from)) return from
  throw queryError(
    'BAD_RESOURCE_TYPE_IN_FROM_CLAUSE',
    `'${from}' is not a valid resource in the FROM clause.`,
  )
}

function fieldNamed(name: string, resource: Resource, clause: 'SELECT' | 'WHERE'): Field {
  const field = findField(name)
  if (!field) {
    if (isResource(name)) {
      throw queryError(
        `PROHIBITED_RESOURCE_TYPE_IN_${clause}_CLAUSE`,
        `The resource '${name}' cannot stand in the ${clause} clause.`,
      )
    }
    throw queryError('UNRECOGNIZED_FIELD', `Unrecognized field in the query: '${name}'.`)
  }
  if (goesWith(resource, field)) return field
  const wrong = `incompatible with the resource in the FROM clause: '${resource}'`
  if (field.category === 'ATTRIBUTE') {
    throw queryError(
      `PROHIBITED_RESOURCE_TYPE_IN_${clause}_CLAUSE`,
      `The following resource type is ${wrong}: '${resourceOf(name)}'.`,
    )
  }
  throw queryError(
    `PROHIBITED_${field.category}_IN_SELECT_OR_WHERE_CLAUSE`,
    `Cannot select or filter on the following ${field.category.toLowerCase()}s: '${name}', since they are ${wrong}.`,
  )
}

function orderOf(parsed: ParsedQuery, select: Field[], resource: Resource): Query['order'] {
  return parsed.order.map(({ field: name, descending }) => {
    const field = fieldNamed(name, resource, 'SELECT')
    if (field.repeated) {
      throw queryError('PROHIBITED_FIELD_IN_ORDER_BY_CLAUSE', `Cannot sort by field '${name}'.`)
    }
    if (field.category !== 'ATTRIBUTE' && !select.includes(field)) throw notSelected(name)
    return { field, descending }
  })
}

/** A segment that is filtered on must be selected: it changes what a row is. */
function checkSelected(filtered: Field[], select: Field[]): void {
  for (const field of filtered) {
    if (field.category === 'SEGMENT' && !CORE_DATES.has(field.name) && !select.includes(field))
      throw notSelected(field.name)
  }
}

const notSelected = (name: string) =>
  queryError(
    'EXPECTED_REFERENCED_FIELD_IN_SELECT_CLAUSE',
    `The following field must be present in SELECT clause: '${name}'.`,
  )

function checkCombinations(fields: Field[], manager: boolean): void {
  const metrics = fields.filter(field => field.category === 'METRIC')
  if (manager && metrics.length > 0) {
    throw queryError(
      'REQUESTED_METRICS_FOR_MANAGER',
      'Metrics cannot be requested for a manager account. To retrieve metrics, issue separate requests against each client account under the manager account.',
    )
  }
  for (const segment of fields.filter(field => field.category === 'SEGMENT')) {
    const wrong = metrics.find(metric => !standTogether(segment.name, metric.name))
    if (!wrong) continue
    throw queryError(
      'PROHIBITED_SEGMENT_WITH_METRIC_IN_SELECT_OR_WHERE_CLAUSE',
      `Cannot select or filter on the following segments: '${segment.name}', since they are incompatible with the metric '${wrong.name}'.`,
    )
  }
}

function checkDays(
  days: DayFilter,
  {
    select,
    filtered,
    today,
    version,
  }: { select: Field[]; filtered: Field[]; today: number; version: string },
): void {
  const finite = Number.isFinite(days.first) && Number.isFinite(days.last)
  const dated = [...select, ...filtered].some(field => CORE_DATES.has(field.name))
  if (dated && !finite) {
    throw queryError(
      'EXPECTED_FILTERS_ON_DATE_RANGE',
      'A core date segment needs a finite date range in the WHERE clause.',
    )
  }
  for (const { name } of [...select, ...filtered]) {
    const most = METRIC_FIELDS.get(name)?.days ?? null
    if (most === null || (finite && days.last - days.first < most)) continue
    throw queryError('DATE_RANGE_TOO_WIDE', `The date range for '${name}' must be at most ${most} days.`)
  }
  checkHistory(days, { segments: new Set(select.map(field => field.name)), today, version })
}
