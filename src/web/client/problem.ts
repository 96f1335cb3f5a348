import type { ErrorCode } from '#shared/errors.ts'

/**
 * What went wrong with a request: a code of the server's list, or one of the two that only the browser can
 * detect.
 */
export type ProblemCode = ErrorCode | 'unreachable' | 'unreadable'

/** A request that was not served. Everything that the client throws is one of these, but for an abort. */
export class Problem extends Error {
  override name = 'Problem'
  readonly code: ProblemCode
  /** HTTP status; 0 when there was no response. */
  readonly status: number
  /** What is wrong with which field (`channels.0.accounts`), as codes to translate. */
  readonly fields: Readonly<Record<string, readonly ErrorCode[]>>
  readonly request_id: string | null
  /** From `Retry-After`. */
  readonly retry_after_ms: number | null
  /** The whole response, for what comes with the code, such as the gaps of a report. */
  readonly body: Readonly<Record<string, unknown>>

  constructor(facts: Partial<Omit<Problem, keyof Error>> & { code: ProblemCode }, cause?: unknown) {
    super(facts.code, { cause })
    this.code = facts.code
    this.status = facts.status ?? 0
    this.fields = facts.fields ?? {}
    this.request_id = facts.request_id ?? null
    this.retry_after_ms = facts.retry_after_ms ?? null
    this.body = facts.body ?? {}
  }
}

/** Whatever was thrown, as a problem. */
export const asProblem = (error: unknown): Problem =>
  error instanceof Problem ? error : new Problem({ code: 'internal_error' }, error)

/** The problem that a response other than 2xx describes; `text` is its body. */
export function readProblem(response: Response, text: string): Problem {
  const body = parseObject(text)
  const code =
    typeof body.code === 'string' && isErrorCode(body.code) ? body.code : codeOfStatus(response.status)
  return new Problem({
    code,
    status: response.status,
    fields: fieldsOf(body),
    request_id: typeof body.request_id === 'string' ? body.request_id : response.headers.get('x-request-id'),
    retry_after_ms: waitOf(response),
    body,
  })
}

/** What `Retry-After` says, in milliseconds. */
export function waitOf(response: Response): number | null {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) ? seconds * 1000 : null
}

const codes: Record<number, ErrorCode> = {
  400: 'invalid',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  421: 'wrong_host',
  429: 'rate_limited',
  503: 'overloaded',
}

/** A proxy in between responds without a code of ours. */
function codeOfStatus(status: number): ProblemCode {
  if (status === 502 || status === 504) return 'unreachable'
  return codes[status] ?? 'internal_error'
}

function fieldsOf({ codes: byField }: Record<string, unknown>) {
  return Object.fromEntries(
    Object.entries(isObject(byField) ? byField : {}).map(([field, list]) => [
      field,
      Array.isArray(list) ? list.filter(code => typeof code === 'string').filter(isErrorCode) : [],
    ]),
  )
}

/**
 * Whether a text has the form of a code. Whether it is in the list, whose texts are too large for the first
 * page, is decided where it is shown (ui/problem-text.tsx): an unknown code of a newer server reads as an
 * unexpected error there.
 */
export const isErrorCode = (code: string): code is ErrorCode => /^[a-z_]{1,60}$/.test(code)

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}
