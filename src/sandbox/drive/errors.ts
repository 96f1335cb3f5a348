/** A refusal in the older form of the Drive API, which always lists its reasons. */
export class DriveRefusal extends Error {
  readonly code: number
  readonly entry: { domain: string; reason: string; location?: string; locationType?: string }
  readonly status: string | null

  constructor(code: number, message: string, entry: DriveRefusal['entry'], status: string | null = null) {
    super(message)
    this.code = code
    this.entry = entry
    this.status = status
  }
}

export const driveErrorBody = ({ code, message, entry, status }: DriveRefusal) => ({
  error: { code, message, errors: [{ message, ...entry }], ...(status && { status }) },
})

const global = (reason: string) => ({ domain: 'global', reason })

export const fileNotFound = (id: string) =>
  new DriveRefusal(404, `File not found: ${id}.`, {
    ...global('notFound'),
    location: 'fileId',
    locationType: 'parameter',
  })

export const permissionNotFound = (id: string) =>
  new DriveRefusal(404, `Permission not found: ${id}.`, {
    ...global('notFound'),
    location: 'permissionId',
    locationType: 'parameter',
  })

export const insufficientPermissions = () =>
  new DriveRefusal(
    403,
    'The user does not have sufficient permissions for this file.',
    global('insufficientFilePermissions'),
  )

export const storageQuotaExceeded = () =>
  new DriveRefusal(403, "The user's Drive storage quota has been exceeded.", global('storageQuotaExceeded'))

export const invalidParameter = (name: string, message: string) =>
  new DriveRefusal(400, message, { ...global('invalidParameter'), location: name, locationType: 'parameter' })

export const fieldsRequired = () =>
  new DriveRefusal(400, "The 'fields' parameter is required for this method.", {
    ...global('required'),
    location: 'fields',
    locationType: 'parameter',
  })

export const invalidValue = (name: string) =>
  new DriveRefusal(400, 'Invalid Value', { ...global('invalid'), location: name, locationType: 'parameter' })

export const badBody = (message: string) => new DriveRefusal(400, message, global('badRequest'))

export const forbidden = (message: string) => new DriveRefusal(403, message, global('forbidden'))

export const notAuthenticated = () =>
  new DriveRefusal(
    401,
    'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.',
    { ...global('authError'), location: 'Authorization', locationType: 'header' },
    'UNAUTHENTICATED',
  )

export const scopeTooSmall = () =>
  new DriveRefusal(
    403,
    'Request had insufficient authentication scopes.',
    global('insufficientPermissions'),
    'PERMISSION_DENIED',
  )

export const rateLimited = () =>
  new DriveRefusal(
    403,
    'User Rate Limit Exceeded. Rate of requests for user exceed configured project quota.',
    {
      domain: 'usageLimits',
      reason: 'userRateLimitExceeded',
    },
  )

export const backendError = (code: number) =>
  new DriveRefusal(code, code === 503 ? 'Service Unavailable' : 'Internal Error', global('backendError'))
