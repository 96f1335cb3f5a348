import { z } from 'zod'
import { isErrorCode, type ErrorCode } from '#shared/errors.ts'
import { refuse } from './refusal.ts'

/** Reads a body or a query by its schema, or refuses it with what is wrong in each field. */
export function parseFields<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const found = result.error.issues.flatMap(problemsOf).slice(0, MOST_PROBLEMS)
  // A Map: a field may be called toString.
  const fields = Map.groupBy(found, ({ field }) => field)
  throw refuse('invalid', {
    fields: Object.fromEntries(
      [...fields].map(([field, problems]) => [field, problems.map(({ code }) => code)]),
    ),
    detail: found.map(({ field, message }) => `${field}: ${message}`).join('; '),
  })
}

/** A path whose parameters are invalid is not found. */
export function parsePath<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value)
  if (!result.success) throw refuse('not_found')
  return result.data
}

/**
 * An unknown filter is refused rather than ignored: ignoring it would return rows that were not requested.
 */
export function refuseUnknown(schema: z.ZodType, value: unknown): void {
  if (!(schema instanceof z.ZodObject) || typeof value !== 'object' || value === null) return
  const unknown = Object.keys(value).filter(key => !Object.hasOwn(schema.shape, key))
  if (unknown.length === 0) return
  throw refuse('invalid', {
    fields: Object.fromEntries(
      unknown.slice(0, MOST_PROBLEMS).map(key => [key.slice(0, LONGEST_NAME), ['field_unknown']]),
    ),
  })
}

/**
 * Characters that no text of ours holds, and no database could: bodies with them are refused before they are
 * read.
 */
export function refuseNul(query: unknown): void {
  if (typeof query !== 'object' || query === null) return
  const found = Object.entries(query).filter(entry => entry.flat().some(text => String(text).includes('\0')))
  if (found.length === 0) return
  throw refuse('invalid', {
    fields: Object.fromEntries(found.slice(0, MOST_PROBLEMS).map(([name]) => [name, ['field_invalid']])),
  })
}

const MOST_PROBLEMS = 50
const LONGEST_NAME = 100

/** What is wrong where; a problem of the whole is one of `body`. */
export function problemsOf(issue: z.core.$ZodIssue): { field: string; code: ErrorCode; message: string }[] {
  const path = issue.path.map(String)
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map(key => ({
      field: [...path, key].join('.').slice(0, LONGEST_NAME),
      code: 'field_unknown' as const,
      message: 'there is no such field',
    }))
  return [{ field: path.join('.') || 'body', code: codeFor(issue), message: issue.message }]
}

/** What is wrong with a value, as a code. */
export function codeFor(issue: z.core.$ZodIssue): ErrorCode {
  if (issue.code === 'unrecognized_keys') return 'field_unknown'
  if (issue.code === 'invalid_type' && issue.message.endsWith('received undefined')) return 'field_required'
  if (issue.code === 'too_small' && issue.origin === 'string') return 'field_required'
  if (issue.code === 'too_big' && issue.origin === 'string') return 'field_too_long'
  if (issue.code === 'too_big' && issue.origin === 'array') return 'field_too_many'
  const named: unknown = issue.code === 'custom' ? issue.params?.['code'] : undefined
  return typeof named === 'string' && isErrorCode(named) ? named : 'field_invalid'
}
