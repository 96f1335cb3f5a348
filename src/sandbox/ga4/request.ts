import { z } from 'zod'
import { invalid, malformed } from './errors.ts'

// What a request may have. Members that a message does not have are refused, as Google's front door does; 64
// bits come as text or as a number.

const int64 = z.union([z.string().regex(/^-?\d+$/), z.int()]).transform(Number)

const NumericValue = z.strictObject({ int64Value: int64.optional(), doubleValue: z.number().optional() })
const MatchType = z.enum([
  'MATCH_TYPE_UNSPECIFIED',
  'EXACT',
  'BEGINS_WITH',
  'ENDS_WITH',
  'CONTAINS',
  'FULL_REGEXP',
  'PARTIAL_REGEXP',
])
const Filter = z.strictObject({
  fieldName: z.string().default(''),
  stringFilter: z
    .strictObject({
      matchType: MatchType.default('EXACT'),
      value: z.string().default(''),
      caseSensitive: z.boolean().default(false),
    })
    .optional(),
  inListFilter: z
    .strictObject({ values: z.array(z.string()).default([]), caseSensitive: z.boolean().default(false) })
    .optional(),
  numericFilter: z
    .strictObject({
      operation: z.enum([
        'EQUAL',
        'LESS_THAN',
        'LESS_THAN_OR_EQUAL',
        'GREATER_THAN',
        'GREATER_THAN_OR_EQUAL',
      ]),
      value: NumericValue,
    })
    .optional(),
  betweenFilter: z.strictObject({ fromValue: NumericValue, toValue: NumericValue }).optional(),
  emptyFilter: z.strictObject({}).optional(),
})
export type Filter = z.infer<typeof Filter>

export interface FilterExpression {
  andGroup?: { expressions: FilterExpression[] } | undefined
  orGroup?: { expressions: FilterExpression[] } | undefined
  notExpression?: FilterExpression | undefined
  filter?: Filter | undefined
}
const List = z.strictObject({
  get expressions() {
    return z.array(FilterExpression).default([])
  },
})
const FilterExpression: z.ZodType<FilterExpression> = z.strictObject({
  get andGroup() {
    return List.optional()
  },
  get orGroup() {
    return List.optional()
  },
  get notExpression() {
    return FilterExpression.optional()
  },
  filter: Filter.optional(),
})

const Dimension = z.strictObject({ name: z.string().default('') })
const Metric = z.strictObject({
  name: z.string().default(''),
  expression: z.string().optional(),
  invisible: z.boolean().default(false),
})
const filter = FilterExpression.nullish()

const RunReport = z.strictObject({
  property: z.string().optional(),
  dateRanges: z
    .array(
      z.strictObject({
        startDate: z.string().default(''),
        endDate: z.string().default(''),
        name: z.string().optional(),
      }),
    )
    .default([]),
  dimensions: z.array(Dimension).default([]),
  metrics: z.array(Metric).default([]),
  dimensionFilter: filter,
  metricFilter: filter,
  orderBys: z
    .array(
      z.strictObject({
        desc: z.boolean().default(false),
        dimension: z
          .strictObject({
            dimensionName: z.string(),
            orderType: z
              .enum(['ORDER_TYPE_UNSPECIFIED', 'ALPHANUMERIC', 'CASE_INSENSITIVE_ALPHANUMERIC', 'NUMERIC'])
              .default('ALPHANUMERIC'),
          })
          .optional(),
        metric: z.strictObject({ metricName: z.string() }).optional(),
      }),
    )
    .default([]),
  offset: int64.default(0),
  limit: int64.default(10_000),
  metricAggregations: z.array(z.enum(['TOTAL', 'MINIMUM', 'MAXIMUM', 'COUNT'])).default([]),
  keepEmptyRows: z.boolean().default(false),
  currencyCode: z.string().default(''),
  returnPropertyQuota: z.boolean().default(false),
})
export type RunReport = z.infer<typeof RunReport>
export type OrderBy = RunReport['orderBys'][number]

const CheckCompatibility = z.strictObject({
  dimensions: z.array(Dimension).default([]),
  metrics: z.array(Metric).default([]),
  dimensionFilter: filter,
  metricFilter: filter,
  compatibilityFilter: z
    .enum(['COMPATIBILITY_UNSPECIFIED', 'COMPATIBLE', 'INCOMPATIBLE'])
    .default('COMPATIBILITY_UNSPECIFIED'),
})

export const readRunReport = (body: unknown) => read(RunReport, body)
export const readCheckCompatibility = (body: unknown) => read(CheckCompatibility, body)

export function readBatch(body: unknown): RunReport[] {
  const { requests } = read(z.strictObject({ requests: z.array(RunReport).default([]) }), body)
  if (requests.length > 5) throw invalid('The maximum number of requests in a batch is 5.')
  return requests
}

function read<T>(schema: z.ZodType<T>, body: unknown): T {
  const result = schema.safeParse(body)
  if (result.success) return result.data
  throw complaint(result.error.issues)
}

function complaint(issues: readonly z.core.$ZodIssue[]): Error {
  const issue = issues[0]
  const path = (issue?.path ?? []).map(part => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
  const at = path.join('').slice(1)
  if (issue?.code === 'unrecognized_keys') {
    return malformed(`Unknown name "${issue.keys[0]}"${at && ` at '${at}'`}: Cannot find field.`, at)
  }
  return malformed(`Invalid value at '${at}' (${issue?.message ?? ''})`, at)
}
