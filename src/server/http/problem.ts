import type { FastifyReply, FastifyRequest } from 'fastify'
import { codeOf, isDatabaseAway } from '#server/db/problem.ts'
import { MissingFile, StorageFailure } from '#server/files/store.ts'
import { errorsEn } from '#shared/errors-en.ts'
import { errorFacts, type ErrorCode } from '#shared/errors.ts'
import { Refusal, refuse, type FieldProblem } from './refusal.ts'

/**
 * Responds to a request that failed: a refusal with its code, anything unexpected as a 500 that carries only
 * the request id.
 */
export function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = asRefusal(error)
  const { status } = errorFacts(refusal.code)
  if (status === 500) request.log.error({ err: error }, 'request failed')
  else if (!(error instanceof Refusal)) request.log.warn({ err: error }, 'request not served')

  const { retry_after_s = status === 503 ? BUSY_S : undefined } = refusal.facts
  if (retry_after_s !== undefined) void reply.header('retry-after', Math.max(1, Math.ceil(retry_after_s)))
  if (refusal.code === 'unauthenticated') void reply.header('www-authenticate', 'Bearer')
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('application/problem+json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(problemOf(refusal, request.id))
}

/** How long a client waits before it retries at a busy server, in seconds. */
const BUSY_S = 2

/** The body of a refusal (application/problem+json). */
export function problemOf({ code, facts }: Refusal, request_id: string): Record<string, unknown> {
  const { status } = errorFacts(code)
  const text = errorsEn.external[code]
  const fields = Object.entries(facts.fields ?? {})
  const about = {
    type: `/api/docs#${code}`,
    title: text,
    status,
    code,
    detail: facts.detail ?? text,
    request_id,
  }
  if (status >= 500) return about
  const texts = fields.map(([field, problems]) => [
    field,
    problems.map(problem => errorsEn.external[codeIn(problem)]),
  ])
  const details = fields.flatMap(([field, problems]) =>
    problems.flatMap(problem => (typeof problem === 'string' ? [] : [[field, problem.detail] as const])),
  )
  return {
    ...facts.extra,
    ...Object.fromEntries(texts),
    ...(fields.length > 0 && {
      codes: Object.fromEntries(fields.map(([field, problems]) => [field, problems.map(codeIn)])),
    }),
    ...(details.length > 0 && { details: Object.fromEntries(details) }),
    // Last, so that a field of the same name cannot replace one of these.
    ...about,
  }
}

const codeIn = (problem: FieldProblem): ErrorCode => (typeof problem === 'string' ? problem : problem.code)

function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof StorageFailure) return refuse('storage_unavailable')
  if (error instanceof MissingFile) return refuse('file_lost')
  const code = codeOf(error) ?? ''
  const taken = uniqueNames[constraintOf(error)]
  if (code === UNIQUE_VIOLATION && taken) return refuse('invalid', { fields: taken })
  const known = knownCodes[code]
  if (known) return refuse(known)
  if (isDatabaseAway(error)) return refuse('overloaded')
  return isRequests(statusOf(error)) ? refuse('invalid') : refuse('internal_error')
}

const UNIQUE_VIOLATION = '23505'

/** Names and numbers that the database keeps unique, whatever the rules have read. */
const uniqueNames: Record<string, NonNullable<Refusal['facts']['fields']>> = {
  folder_sibling_name: { name: ['folder_name'] },
  advertiser_name_key: { name: ['name_taken'] },
  industry_name: { name: ['name_taken'] },
  industry_name_zh: { name_zh: ['name_taken'] },
  agent_name: { name: ['name_taken'] },
  users_username_key: { username: ['name_taken'] },
  audience_name: { name: ['name_taken'] },
  site_url: { url: ['name_taken'] },
  publisher_name: { name: ['name_taken'] },
  target_audience_name: { name: ['name_taken'] },
  link_preset_name: { name: ['name_taken'] },
  calculated_metric_name: { name: ['name_taken'] },
  conversion_definition_name: { name: ['name_taken'] },
  metric_label_of: { metric: ['label_taken'] },
  rate_pkey: { currency: ['rate_taken'] },
  payment_invoice_number: { invoice_number: ['invoice_number_taken'] },
}

/** Failures of Fastify (FST_…) and of Postgres (SQLSTATE) that are caused by the request. */
const knownCodes: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid',
  FST_ERR_CTP_INVALID_JSON_BODY: 'invalid',
  FST_ERR_BAD_URL: 'invalid',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
  FST_ERR_NOT_FOUND: 'not_found',
  // A text with a NUL, which Postgres cannot hold.
  '22021': 'invalid',
  '22P05': 'invalid',
  // A day that the calendar of Postgres does not have, such as one in the year 0.
  '22007': 'invalid',
  '22008': 'invalid',
}

const constraintOf = (error: unknown): string =>
  error instanceof Error && 'constraint' in error && typeof error.constraint === 'string'
    ? error.constraint
    : ''

/** The framework's statement that the request is invalid. */
const isRequests = (status = 500) => status >= 400 && status < 500

const statusOf = (error: unknown): number | undefined =>
  error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number'
    ? error.statusCode
    : undefined
