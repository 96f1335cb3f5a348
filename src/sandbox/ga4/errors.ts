/** A refusal as the Analytics APIs word it. */
export class AnalyticsError extends Error {
  readonly status: number
  readonly details: readonly object[]
  /** The name that goes with the message, when it is not the one of the status. */
  readonly name_of: string | null

  constructor(
    status: number,
    message: string,
    { details = [], name = null }: { details?: readonly object[]; name?: string | null } = {},
  ) {
    super(message)
    this.status = status
    this.details = details
    this.name_of = name
  }
}

export const invalid = (message: string) => new AnalyticsError(400, message)

/** A member or a value that a message does not have. */
export const malformed = (message: string, field = '') =>
  new AnalyticsError(400, `Invalid JSON payload received. ${message}`, {
    details: [
      {
        '@type': 'type.googleapis.com/google.rpc.BadRequest',
        fieldViolations: [
          { ...(field !== '' && { field }), description: `Invalid JSON payload received. ${message}` },
        ],
      },
    ],
  })

export const notAuthenticated = (reason: string) =>
  new AnalyticsError(
    401,
    reason === 'CREDENTIALS_MISSING'
      ? 'Request is missing required authentication credential. Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.'
      : 'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.',
    { details: [info(reason)] },
  )

export const noAccess = () =>
  new AnalyticsError(
    403,
    'User does not have sufficient permissions for this property. To learn more about Property ID, see https://developers.google.com/analytics/devguides/reporting/data/v1/property-id.',
  )

export const serviceDisabled = () =>
  new AnalyticsError(
    403,
    'Google Analytics Data API has not been used in project 100000000000 before or it is disabled. Enable it by visiting https://console.developers.google.com/apis/api/analyticsdata.googleapis.com/overview?project=100000000000 then retry. If you enabled this API recently, wait a few minutes for the action to propagate to our systems and retry.',
    { details: [info('SERVICE_DISABLED')] },
  )

export const scopeTooSmall = () =>
  new AnalyticsError(403, 'Request had insufficient authentication scopes.', {
    details: [info('ACCESS_TOKEN_SCOPE_INSUFFICIENT')],
  })

/** What the platform has and this sandbox does not: a gap of ours must not look like a refusal. */
export const notEmulated = (what: string) => new AnalyticsError(501, `Not emulated by the sandbox: ${what}`)

const info = (reason: string) => ({
  '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
  reason,
  domain: 'googleapis.com',
  metadata: { service: 'analyticsdata.googleapis.com' },
})

export type QuotaKind = 'concurrent' | 'project_hour' | 'hour' | 'day' | 'thresholded' | 'server_errors'

const MORE = 'To learn more, see https://developers.google.com/analytics/devguides/reporting/data/v1/quotas.'
const PHRASES: Record<QuotaKind, string> = {
  concurrent: 'Exhausted concurrent requests quota. Please send fewer requests concurrently.',
  project_hour:
    'Exhausted property tokens for a project per hour. These quota tokens will return in under an hour.',
  hour: 'Exhausted property tokens per hour. These quota tokens will return in under an hour.',
  day: 'Exhausted property tokens per day. These quota tokens will return in under 24 hours.',
  thresholded: 'Exhausted potentially thresholded requests quota. This quota will refresh in under an hour.',
  server_errors: 'Exhausted server errors quota. This quota will refresh in under an hour.',
}

export const exhausted = (kind: QuotaKind) => new AnalyticsError(429, `${PHRASES[kind]} ${MORE}`)

export const envelope = ({ status, message, details, name_of }: AnalyticsError) => ({
  error: {
    code: status,
    message,
    status: name_of ?? STATUSES[status] ?? 'UNKNOWN',
    ...(details.length > 0 && { details }),
  },
})

const STATUSES: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  501: 'UNIMPLEMENTED',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
}
