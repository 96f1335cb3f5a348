import { boundedWait, type HttpResponse } from '#server/connectors/kit/http.ts'
import { withoutSecrets } from '#server/connectors/kit/secrets.ts'
import { ErrorEnvelope, ErrorInfo, GoogleAdsFailure, RetryInfo } from './schema.ts'

/** A refusal in Google's own words. */
export interface Refused {
  status: number
  /** In Google's own form; else a proxy or gateway has responded. */
  is_googles: boolean
  /** The one key of errorCode, for example queryError; empty when the service did not speak. */
  family: string
  code: string
  /** What Google says to wait. */
  retry_after_ms: number | null
  /** Whether the whole Cloud project is held back, not one customer. */
  is_of_project: boolean
  facts: { platform_message: string; platform_request_id: string | null }
}

/**
 * The refusal of a response; null when it is none. That of a proxy or gateway is known by its status.
 */
export function refusedIn(
  response: HttpResponse,
  body: unknown,
  secrets: (string | undefined)[],
): Refused | null {
  const envelope = ErrorEnvelope.safeParse(body)
  if (response.status === 200 && !envelope.success) return null
  const { message = '', details = [] } = envelope.data?.error ?? {}
  const failure = firstOf(details, GoogleAdsFailure)
  const error = failure?.errors[0]
  const [family = '', code = ''] = Object.entries(error?.errorCode ?? {})[0] ?? []
  const reason = firstOf(details, ErrorInfo)?.reason ?? ''
  const quota = error?.details?.quotaErrorDetails
  const text = error?.message || message || `HTTP ${response.status}`
  const named = code ? `${family}.${code}` : reason || response.status
  const request_id = failure?.requestId ?? response.headers.get('request-id')
  return {
    // A refusal may come with status 200, too.
    is_googles: envelope.success,
    status: response.status === 200 ? (envelope.data?.error.code ?? 500) : response.status,
    family,
    code: code || reason,
    retry_after_ms: milliseconds(quota?.retryDelay ?? firstOf(details, RetryInfo)?.retryDelay),
    is_of_project: quota?.rateScope === 'DEVELOPER',
    facts: {
      platform_message: withoutSecrets(`${text.slice(0, LONGEST)} [${named}]`, secrets),
      platform_request_id: request_id && withoutSecrets(request_id, secrets),
    },
  }
}

/** What is left for the code behind it. */
const LONGEST = 900

function firstOf<Read>(
  details: unknown[],
  schema: { safeParse: (detail: unknown) => { success: boolean; data?: Read | undefined } },
): Read | undefined {
  for (const detail of details) {
    const read = schema.safeParse(detail)
    if (read.success) return read.data
  }
  return undefined
}

/** Durations are written as seconds: "5s", "1.5s". */
function milliseconds(delay: string | undefined): number | null {
  const seconds = /^(\d+(?:\.\d+)?)s$/.exec(delay ?? '')?.[1]
  return seconds === undefined ? null : boundedWait(Math.ceil(Number(seconds) * 1000))
}
