import { randomBytes } from 'node:crypto'

export type Family =
  | 'authenticationError'
  | 'authorizationError'
  | 'dateRangeError'
  | 'fieldError'
  | 'headerError'
  | 'internalError'
  | 'queryError'
  | 'quotaError'
  | 'requestError'

/** A refusal with the family and code that a GoogleAdsFailure carries. */
export class AdsError extends Error {
  readonly family: Family
  readonly code: string
  readonly more: { status?: number; trigger?: string; field?: string; retry_delay?: string | null }

  constructor(family: Family, code: string, message: string, more: AdsError['more'] = {}) {
    super(message)
    this.family = family
    this.code = code
    this.more = more
  }
}

/** A refusal by the front end of the service: without a GoogleAdsFailure. */
export class FrontDoorError extends Error {
  readonly status: number
  readonly details: readonly object[]

  constructor(status: number, message: string, details: readonly object[] = []) {
    super(message)
    this.status = status
    this.details = details
  }
}

export const queryError = (code: string, message: string) =>
  new AdsError('queryError', code, message, { field: 'query' })

/** What a JSON body or the address may not have, in the words of Google's front end. */
export const unknownName = (message: string, field = '') =>
  new FrontDoorError(400, `Invalid JSON payload received. ${message}`, [
    {
      '@type': 'type.googleapis.com/google.rpc.BadRequest',
      fieldViolations: [
        { ...(field !== '' && { field }), description: `Invalid JSON payload received. ${message}` },
      ],
    },
  ])

export const errorInfo = (reason: string) => ({
  '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
  reason,
  domain: 'googleapis.com',
  metadata: { service: 'googleads.googleapis.com' },
})

export const notAuthenticated = (reason: string) =>
  new FrontDoorError(
    401,
    reason === 'CREDENTIALS_MISSING'
      ? 'Request is missing required authentication credential. Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.'
      : INVALID_CREDENTIALS,
    [errorInfo(reason)],
  )

export const tokenExpired = () =>
  new AdsError('authenticationError', 'OAUTH_TOKEN_EXPIRED', 'OAuth access token has expired.')

export const noAccess = () =>
  new AdsError(
    'authorizationError',
    'USER_PERMISSION_DENIED',
    "User doesn't have permission to access customer. Note: If you're accessing a client customer, the manager's customer id must be set in the 'login-customer-id' header. See https://developers.google.com/google-ads/api/docs/concepts/call-structure#cid",
  )

/** Status and body of a refusal, in the words of that version. */
export function refusal(
  error: AdsError | FrontDoorError,
  { version, request_id }: { version: string; request_id: string },
): { status: number; body: { error: object } } {
  const front = error instanceof FrontDoorError
  const status = front ? error.status : (error.more.status ?? STATUS_OF[error.family] ?? 400)
  const { name, message } = STATUSES[status] ?? { name: 'UNKNOWN', message: 'Unknown error.' }
  const details = front ? error.details : [failure(error, { version, request_id })]
  return {
    status,
    body: {
      error: {
        code: status,
        message: front ? error.message : message,
        status: name,
        ...(details.length > 0 && { details }),
      },
    },
  }
}

export const newRequestId = () => randomBytes(16).toString('base64url')

function failure(error: AdsError, { version, request_id }: { version: string; request_id: string }) {
  const { trigger, field, retry_delay } = error.more
  return {
    '@type': `type.googleapis.com/google.ads.googleads.${version}.errors.GoogleAdsFailure`,
    errors: [
      {
        errorCode: { [error.family]: error.code },
        message: error.message,
        ...(trigger !== undefined && { trigger: { stringValue: trigger } }),
        ...(field !== undefined && { location: { fieldPathElements: [{ fieldName: field }] } }),
        ...(retry_delay && {
          details: {
            quotaErrorDetails: {
              rateScope: 'ACCOUNT',
              rateName: 'Requests per account',
              retryDelay: retry_delay,
            },
          },
        }),
      },
    ],
    requestId: request_id,
  }
}

const INVALID_CREDENTIALS =
  'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.'

const STATUS_OF: Partial<Record<Family, number>> = {
  authenticationError: 401,
  authorizationError: 403,
  quotaError: 429,
  internalError: 500,
}

const STATUSES: Record<number, { name: string; message: string }> = {
  400: { name: 'INVALID_ARGUMENT', message: 'Request contains an invalid argument.' },
  401: { name: 'UNAUTHENTICATED', message: INVALID_CREDENTIALS },
  403: { name: 'PERMISSION_DENIED', message: 'The caller does not have permission' },
  404: { name: 'NOT_FOUND', message: 'Requested entity was not found.' },
  429: { name: 'RESOURCE_EXHAUSTED', message: 'Resource has been exhausted (e.g. check quota).' },
  500: { name: 'INTERNAL', message: 'Internal error encountered.' },
  503: { name: 'UNAVAILABLE', message: 'The service is currently unavailable.' },
  504: { name: 'DEADLINE_EXCEEDED', message: 'Deadline expired before operation could complete.' },
}
