import { z } from 'zod'
import type { Account } from '#sandbox/dataset/agency.ts'
import { dayOf, monthStart, monthsBefore, weekdayOf } from '#sandbox/dataset/calendar.ts'
import { type LyProblem, problem } from './errors.ts'
import type { Field, Product } from './field.ts'
import { fieldsOf } from './fields.ts'
import type { Writing } from './file.ts'
import type { Definition, Filter } from './rows.ts'

// One element of ReportDefinitionService/add: what is no such element at all refuses the request, what is one
// and says something impossible refuses the element.

const Shared = {
  reportName: z.string().optional(),
  reportDateRangeType: z.string().optional(),
  dateRange: z.strictObject({ startDate: z.string(), endDate: z.string() }).nullish(),
  fields: z.array(z.string()).optional(),
  filters: z
    .array(z.strictObject({ field: z.string(), filterOperator: z.string(), values: z.array(z.string()) }))
    .nullish(),
  sortFields: z.array(z.strictObject({ field: z.string(), reportSortType: z.string() })).nullish(),
  reportLanguage: z.string().default('JA'),
  reportDownloadFormat: z.string().default('CSV'),
  reportDownloadEncode: z.string().default('UTF8'),
  reportCompressType: z.string().default('NONE'),
  reportIncludeDeleted: z.string().default('TRUE'),
  reportSkipColumnHeader: z.string().default('FALSE'),
  reportSkipReportSummary: z.string().default('FALSE'),
  reportDecimalPartDisplayType: z.string().default('SIMPLE_DISPLAY'),
  accountId: z.int().optional(),
}
export const Operand = {
  ly_search: z.strictObject({ ...Shared, reportType: z.string().optional() }),
  ly_display: z.strictObject({
    ...Shared,
    reportTypeCondition: z
      .strictObject({
        reportType: z.string(),
        reachReportCondition: z.record(z.string(), z.unknown()).nullish(),
      })
      .nullish(),
  }),
}
export type Operand = z.infer<typeof Operand.ly_search> | z.infer<typeof Operand.ly_display>

export interface ReportDefinition {
  definition: Definition
  writing: Writing
  /** The request, as the platform repeats it. */
  echo: Record<string, unknown>
}

const MOST_FILTERS = 6
const MOST_SORT_FIELDS = 5
const SEARCH_YEARS = 11
const DISPLAY_MONTHS = 37

const OPTIONS: [keyof Operand & keyof typeof Shared, readonly string[]][] = [
  ['reportLanguage', ['JA', 'EN']],
  ['reportDownloadFormat', ['CSV', 'TSV', 'XML']],
  ['reportDownloadEncode', ['UTF8', 'SJIS', 'UTF16LE']],
  ['reportCompressType', ['NONE', 'ZIP']],
  ['reportIncludeDeleted', ['TRUE', 'FALSE']],
  ['reportSkipColumnHeader', ['TRUE', 'FALSE']],
  ['reportSkipReportSummary', ['TRUE', 'FALSE']],
  ['reportDecimalPartDisplayType', ['FULL_DISPLAY', 'SIMPLE_DISPLAY']],
]

/** The report of an element, or everything that is wrong with it. */
export function readOperand(
  operand: Operand,
  { product, account, today }: { product: Product; account: Account; today: number },
): ReportDefinition | LyProblem[] {
  const problems: LyProblem[] = []
  if (!operand.reportName) problems.push(problem('R0001', ['reportName', operand.reportName ?? null]))
  for (const [name, allowed] of OPTIONS) {
    if (!allowed.includes(String(operand[name]))) problems.push(problem('V0001', [name, operand[name]]))
  }
  const report_type = reportTypeOf(operand, product)
  const known = report_type === null ? null : fieldsOf(product, report_type)
  const named = product === 'ly_search' ? 'reportType' : 'reportTypeCondition/reportType'
  if (report_type === null) problems.push(problem('R0001', [named, null]))
  else if (!known) return [...problems, problem('V0001', [named, report_type])]
  const range = rangeOf(operand, { product, report_type, today, problems })
  const fields = readFields(operand.fields ?? [], known ?? [], problems)
  const filters = readFilters(operand, { known: known ?? [], product, problems })
  const sort = readSort(operand, fields, problems)
  if (problems.length > 0 || !range || report_type === null) return problems
  const is = (value: string) => value === 'TRUE'
  return {
    definition: {
      ...range,
      product,
      report_type,
      account,
      fields,
      filters,
      sort,
      language: operand.reportLanguage === 'EN' ? 'EN' : 'JA',
      include_deleted: is(operand.reportIncludeDeleted),
    },
    writing: {
      format: oneOf(operand.reportDownloadFormat, ['CSV', 'TSV', 'XML']),
      encode: oneOf(operand.reportDownloadEncode, ['UTF8', 'SJIS', 'UTF16LE']),
      compress: oneOf(operand.reportCompressType, ['NONE', 'ZIP']),
      language: operand.reportLanguage === 'EN' ? 'EN' : 'JA',
      skip_header: is(operand.reportSkipColumnHeader),
      skip_total: is(operand.reportSkipReportSummary),
      full_decimals: operand.reportDecimalPartDisplayType === 'FULL_DISPLAY',
      byte_order_mark: false,
    },
    echo: {
      ...operand,
      dateRange: operand.dateRange ?? null,
      filters: operand.filters ?? [],
      sortFields: operand.sortFields ?? [],
    },
  }
}

function oneOf<T extends string>(value: string, list: readonly [T, ...T[]]): T {
  return list.find(each => each === value) ?? list[0]
}

function reportTypeOf(operand: Operand, product: Product): string | null {
  if ('reportType' in operand) return operand.reportType ?? null
  if (product === 'ly_search') return null
  return 'reportTypeCondition' in operand ? (operand.reportTypeCondition?.reportType ?? 'AD') : 'AD'
}

const RANGES: Record<string, (today: number) => [number, number]> = {
  TODAY: today => [today, today],
  YESTERDAY: today => [today - 1, today - 1],
  LAST_7_DAYS: today => [today - 7, today - 1],
  LAST_14_DAYS: today => [today - 14, today - 1],
  LAST_30_DAYS: today => [today - 30, today - 1],
  LAST_WEEK: today => [today - weekdayOf(today) - 7, today - weekdayOf(today) - 1],
  LAST_BUSINESS_WEEK: today => [today - weekdayOf(today) - 7, today - weekdayOf(today) - 3],
  THIS_MONTH: today => [monthStart(today), today],
  THIS_MONTH_EXCEPT_TODAY: today => [monthStart(today), today - 1],
  LAST_MONTH: today => [monthStart(monthStart(today) - 1), monthStart(today) - 1],
}
const WITH_TODAY = new Set(['TODAY', 'THIS_MONTH', 'CUSTOM_DATE'])

interface RangeRequest {
  product: Product
  report_type: string | null
  today: number
  problems: LyProblem[]
}

function rangeOf(operand: Operand, { product, report_type, today, problems }: RangeRequest) {
  const type = operand.reportDateRangeType
  const oldest =
    product === 'ly_search' ? monthsBefore(today, SEARCH_YEARS * 12) : monthsBefore(today, DISPLAY_MONTHS)
  if (type === undefined) {
    problems.push(problem('R0001', ['reportDateRangeType', null]))
    return null
  }
  if (product === 'ly_display' && report_type === 'REACH' && WITH_TODAY.has(type)) {
    problems.push(problem('V0001', ['reportDateRangeType', type]))
    return null
  }
  if (type === 'CUSTOM_DATE') return customRange(operand, { oldest, today, problems })
  const usual =
    RANGES[type]?.(today) ?? (type === 'ALL_TIME' && product === 'ly_search' ? [oldest, today] : null)
  if (!usual) problems.push(problem('V0001', ['reportDateRangeType', type]))
  else if (operand.dateRange)
    problems.push(problem('240004', ['reportDateRangeType', type], ['dateRange', operand.dateRange]))
  return usual ? { first: usual[0] ?? today, last: usual[1] ?? today } : null
}

function customRange(
  { dateRange }: Operand,
  { oldest, today, problems }: { oldest: number; today: number; problems: LyProblem[] },
) {
  if (!dateRange) {
    problems.push(problem('R0001', ['dateRange', null]))
    return null
  }
  const days = (['startDate', 'endDate'] as const).map(name => {
    const day = dayOf(dateRange[name].replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3'))
    const isBare = /^\d{8}$/.test(dateRange[name])
    if (day === null || !isBare) problems.push(problem('F0001', [`dateRange/${name}`, dateRange[name]]))
    return isBare ? day : null
  })
  const [first, last] = days
  if (first === null || first === undefined || last === null || last === undefined) return null
  if (first > last) {
    problems.push(
      problem(
        'RL001',
        ['reportDateRangeType', 'CUSTOM_DATE'],
        ['dateRange/startDate', dateRange.startDate],
        ['dateRange/endDate', dateRange.endDate],
      ),
    )
  }
  if (first < oldest) problems.push(problem('V0001', ['dateRange/startDate', dateRange.startDate]))
  if (last > today) problems.push(problem('V0001', ['dateRange/endDate', dateRange.endDate]))
  return { first, last }
}

function readFields(names: string[], known: Field[], problems: LyProblem[]): Field[] {
  if (names.length === 0) problems.push(problem('R0001', ['fields', null]))
  const fields: Field[] = []
  names.forEach((name, index) => {
    const field = known.find(each => each.name === name)
    if (!field) problems.push(problem('V0001', [`fields[${index}]`, name]))
    else if (fields.includes(field)) problems.push(problem('D0001', [`fields[${index}]`, name]))
    else fields.push(field)
  })
  for (const [index, field] of fields.entries()) {
    const other = fields.slice(index + 1).find(each => field.conflicts.includes(each.name))
    if (other) problems.push(problem('RL001', ['fields', field.name], ['fields', other.name]))
  }
  return fields
}

const COMPARING = ['GREATER_THAN', 'GREATER_THAN_EQUALS', 'LESS_THAN', 'LESS_THAN_EQUALS']
const OPERATORS: Record<Product, readonly string[]> = {
  ly_search: ['EQUALS', 'NOT_EQUALS', 'CONTAINS', 'IN', ...COMPARING],
  ly_display: ['EQUALS', 'NOT_EQUALS', 'CONTAINS', 'IN', 'NOT_IN', ...COMPARING],
}
const LISTS = new Set(['IN', 'NOT_IN'])

function readFilters(
  operand: Operand,
  { known, product, problems }: { known: Field[]; product: Product; problems: LyProblem[] },
): Filter[] {
  const requested = operand.filters ?? []
  if (requested.length > MOST_FILTERS) problems.push(problem('L0002', ['filters', String(requested.length)]))
  return requested.flatMap(({ field: name, filterOperator, values }, index) => {
    const field = known.find(each => each.name === name)
    const at = `filters[${index}]`
    if (!field) problems.push(problem('V0001', [`${at}/field`, name]))
    else if (!field.filterable) problems.push(problem('240003', [`${at}/field`, name]))
    else if (!OPERATORS[product].includes(filterOperator) || !fits(field, filterOperator))
      problems.push(problem('V0001', [`${at}/filterOperator`, filterOperator]))
    else if (values.length === 0) problems.push(problem('L0001', [`${at}/values`, '0']))
    else if (values.length > 1 && !LISTS.has(filterOperator))
      problems.push(problem('L0002', [`${at}/values`, String(values.length)]))
    else if (values.some(value => !isValue(field, value)))
      problems.push(problem('F0001', [`${at}/values`, values.join(',')]))
    else return [{ field, operator: filterOperator, values }]
    return []
  })
}

const isNumber = ({ type }: Field) => type === 'LONG' || type === 'DOUBLE'

/** Texts cannot be greater, numbers cannot contain. */
const fits = (field: Field, operator: string) =>
  COMPARING.includes(operator) ? isNumber(field) : operator !== 'CONTAINS' || !isNumber(field)

const isValue = (field: Field, value: string) =>
  // oxlint-disable-next-line no-control-regex -- control characters are what is refused
  isNumber(field) ? /^-?\d+(\.\d+)?$/.test(value) : value !== '' && !/[\u0000-\u001f]/.test(value)

function readSort(operand: Operand, fields: Field[], problems: LyProblem[]): Definition['sort'] {
  const requested = operand.sortFields ?? []
  if (requested.length > MOST_SORT_FIELDS)
    problems.push(problem('L0002', ['sortFields', String(requested.length)]))
  requested.forEach(({ field, reportSortType }, index) => {
    if (!fields.some(({ name }) => name === field))
      problems.push(problem('V0001', [`sortFields[${index}]/field`, field]))
    if (!['ASC', 'DESC'].includes(reportSortType))
      problems.push(problem('V0001', [`sortFields[${index}]/reportSortType`, reportSortType]))
  })
  return requested.map(({ field, reportSortType }) => ({ field, descending: reportSortType === 'DESC' }))
}

/** ReportDefinitionService/getReportFields. */
export const reportFields = (product: Product, report_type: string) =>
  fieldsOf(product, report_type)?.map(({ name, en, ja, xml, type, conflicts, filterable }) => ({
    fieldName: name,
    displayFieldNameEn: en,
    displayFieldNameJa: ja,
    xmlAttributeName: xml,
    fieldType: type,
    selectable: true,
    filterable,
    impossibleCombinationFields: conflicts.length === 0 ? null : conflicts,
  })) ?? null
