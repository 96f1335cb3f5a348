import { z } from 'zod'
import { faultFields } from '#sandbox/control/faults.ts'
import { AdsError, errorInfo, type Family, FrontDoorError, noAccess, tokenExpired } from './errors.ts'

/**
 * One way in which Google Ads goes wrong; `account` is a customer id.
 *
 * latency: responds `delay_ms` later.
 * rate_limit: 429 by `code` of quotaError (RESOURCE_TEMPORARILY_EXHAUSTED when none is given), with
 * `retry_delay` ("5s") or without. server_error: `status` 500 (internalError, `code` TRANSIENT_ERROR), 503 or
 * 504. front_door: `status` and an ErrorInfo with `reason`, but no GoogleAdsFailure. cut: breaks the
 * connection in the middle. malformed: responds with broken JSON. expired_token: 401. revoked: 403 for the
 * customer. expired_page_token: refuses whatever page token comes. unsupported_version: as if the version had
 * been switched off. stream_error: a stream that begins with 200 and its first batch, and goes on with an
 * error. error: any other, by `family`, `code`, `message` and `status`.
 */
export const GoogleAdsFault = z.strictObject({
  platform: z.literal('google_ads'),
  ...faultFields,
  method: z.enum(['GET', 'POST']).optional(),
  action: z.enum([
    'latency',
    'rate_limit',
    'server_error',
    'front_door',
    'cut',
    'malformed',
    'expired_token',
    'revoked',
    'expired_page_token',
    'unsupported_version',
    'stream_error',
    'error',
  ]),
  status: z.int().min(400).max(599).optional(),
  family: z.string().optional(),
  code: z.string().optional(),
  message: z.string().optional(),
  reason: z.string().optional(),
  retry_delay: z
    .string()
    .regex(/^\d+(\.\d+)?s$/)
    .optional(),
})
export type GoogleAdsFault = z.infer<typeof GoogleAdsFault>

/** Refuses as the armed faults say. */
export function refuseByFault(hits: readonly GoogleAdsFault[], version: string): void {
  for (const hit of hits) {
    const error = errorOf(hit, version)
    if (error) throw error
  }
}

function errorOf(hit: GoogleAdsFault, version: string): AdsError | FrontDoorError | null {
  switch (hit.action) {
    case 'rate_limit': {
      const code = hit.code ?? 'RESOURCE_TEMPORARILY_EXHAUSTED'
      return new AdsError('quotaError', code, hit.message ?? QUOTA_TEXTS[code] ?? 'Too many requests.', {
        retry_delay: hit.retry_delay ?? null,
      })
    }
    case 'server_error':
      return serverError(hit)
    case 'front_door':
      return new FrontDoorError(hit.status ?? 401, hit.message ?? 'The request was refused.', [
        errorInfo(hit.reason ?? 'ACCESS_TOKEN_EXPIRED'),
      ])
    case 'expired_token':
      return tokenExpired()
    case 'revoked':
      return noAccess()
    case 'unsupported_version':
      return unsupportedVersion(version)
    case 'error':
      return new AdsError(
        (hit.family ?? 'requestError') as Family,
        hit.code ?? 'UNKNOWN',
        hit.message ?? 'An unknown error occurred.',
        { ...(hit.status !== undefined && { status: hit.status }) },
      )
    default:
      return null
  }
}

/** 503 and 504 come from the front end of the service. */
const serverError = (hit: GoogleAdsFault) =>
  hit.status === undefined || hit.status === 500
    ? new AdsError(
        'internalError',
        hit.code ?? 'TRANSIENT_ERROR',
        hit.message ?? 'A transient internal error occurred. Retry the request.',
      )
    : new FrontDoorError(hit.status, hit.message ?? 'The service is currently unavailable.')

export const unsupportedVersion = (version: string) =>
  new AdsError(
    'requestError',
    'UNSUPPORTED_VERSION',
    `Version ${version} is deprecated. Requests to this version will be blocked.`,
  )

const QUOTA_TEXTS: Record<string, string> = {
  RESOURCE_TEMPORARILY_EXHAUSTED: 'Too many requests. Retry in a few seconds.',
  RESOURCE_EXHAUSTED: 'Too many requests. The daily number of operations of the project is used up.',
  EXCESSIVE_SHORT_TERM_QUERY_RESOURCE_CONSUMPTION:
    'Too many requests of this shape: their short-term resource consumption is used up. Retry in five minutes.',
  EXCESSIVE_LONG_TERM_QUERY_RESOURCE_CONSUMPTION:
    'Too many requests of this shape: their long-term resource consumption is used up. Retry tomorrow.',
}
