/** A refusal in the shape of the reporting API; the management API writes the same as an older one. */
export class UaRefusal extends Error {
  readonly code: number
  readonly status: string
  /** The older shape's word for it. */
  readonly reason: string

  constructor(code: number, status: string, message: string, reason = 'badRequest') {
    super(message)
    this.code = code
    this.status = status
    this.reason = reason
  }
}

export const invalid = (message: string) =>
  new UaRefusal(400, 'INVALID_ARGUMENT', message, 'invalidParameter')
export const noPermission = () =>
  new UaRefusal(
    403,
    'PERMISSION_DENIED',
    'User does not have sufficient permissions for this profile.',
    'insufficientPermissions',
  )
export const scopeMissing = () =>
  new UaRefusal(
    403,
    'PERMISSION_DENIED',
    'Request had insufficient authentication scopes.',
    'insufficientPermissions',
  )
export const unauthenticated = () =>
  new UaRefusal(
    401,
    'UNAUTHENTICATED',
    'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.',
    'authError',
  )
export const quotaExceeded = (limit: string) =>
  new UaRefusal(
    429,
    'RESOURCE_EXHAUSTED',
    `Quota exceeded for quota group 'AnalyticsDefaultGroup' and limit '${limit}' of service 'analyticsreporting.googleapis.com'.`,
    'userRateLimitExceeded',
  )
export const neverTogether = () => invalid('Selected dimensions and metrics cannot be queried together.')

/** The reporting API's body, or the management API's. */
export function bodyOf({ code, message, status, reason }: UaRefusal, isManagement: boolean): unknown {
  if (!isManagement) return { error: { code, message, status } }
  const domain = reason.endsWith('Exceeded') ? 'usageLimits' : 'global'
  return { error: { errors: [{ domain, reason, message }], code: code === 429 ? 403 : code, message } }
}
