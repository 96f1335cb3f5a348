/** A request that the service refuses, with the wire text of Google. */
export class Refusal extends Error {
  readonly code: number
  readonly status: string
  readonly details: object[]

  constructor(code: number, status: string, message: string, details: object[] = []) {
    super(message)
    this.code = code
    this.status = status
    this.details = details
  }
}

/** The JSON body of a refusal in the form of the Sheets API. */
export const sheetsErrorBody = ({ code, message, status, details }: Refusal) => ({
  error: { code, message, status, ...(details.length > 0 && { details }) },
})

export const invalid = (message: string) => new Refusal(400, 'INVALID_ARGUMENT', message)

/** 400 with the BadRequest detail that protocol-level mistakes carry. */
export const badRequest = (violations: { field?: string; description: string }[], message?: string) =>
  new Refusal(400, 'INVALID_ARGUMENT', message ?? violations.map(each => each.description).join('\n'), [
    { '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: violations },
  ])

export const notFound = () => new Refusal(404, 'NOT_FOUND', 'Requested entity was not found.')

export const notPermitted = () => new Refusal(403, 'PERMISSION_DENIED', 'The caller does not have permission')

export const officeFile = () =>
  new Refusal(400, 'FAILED_PRECONDITION', 'This operation is not supported for this document')

export const protectedCell = () =>
  invalid(
    'You are trying to edit a protected cell or object. Please contact the spreadsheet owner to remove protection if you need to edit.',
  )

export const unauthenticated = () =>
  new Refusal(
    401,
    'UNAUTHENTICATED',
    'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.',
  )

export const insufficientScope = (service: string) =>
  new Refusal(403, 'PERMISSION_DENIED', 'Request had insufficient authentication scopes.', [
    {
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT',
      domain: 'googleapis.com',
      metadata: { service },
    },
  ])

export const internalError = () => new Refusal(500, 'INTERNAL', 'Internal error encountered.')

export const unavailable = () => new Refusal(503, 'UNAVAILABLE', 'The service is currently unavailable.')

export const notSupported = (what: string) =>
  new Refusal(501, 'UNIMPLEMENTED', `Not supported by the embedded spreadsheet service: ${what}`)
