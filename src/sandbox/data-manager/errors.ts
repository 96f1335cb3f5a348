import { randomUUID } from 'node:crypto'

/** One field that is wrong, by its path in the message. */
export interface Violation {
  field: string
  reason: string
}

/** A refusal of the Data Manager API. */
export class DataManagerError extends Error {
  readonly status: number
  readonly details: readonly object[]

  constructor(status: number, message: string, details: readonly object[] = []) {
    super(message)
    this.status = status
    this.details = details
  }
}

/** One of the reasons of its own list, about no field in particular. */
export const refused = (
  reason: string,
  { status = 400, metadata }: { status?: number; metadata?: Record<string, string> } = {},
) => new DataManagerError(status, MESSAGES[reason] ?? PROBLEM, [errorInfo(reason, metadata)])

/** Everything that is wrong with a message at once; the whole of it is refused, and nothing of it is used. */
export const invalid = ([first, ...others]: readonly [Violation, ...Violation[]]) =>
  new DataManagerError(400, PROBLEM, [
    errorInfo(first.reason),
    {
      '@type': 'type.googleapis.com/google.rpc.BadRequest',
      fieldViolations: [first, ...others].map(({ field, reason }) => ({
        field,
        description: MESSAGES[reason] ?? PROBLEM,
        reason,
      })),
    },
  ])

/** What a JSON body or the address may not have, in the words of Google's front end. */
export const malformed = (message: string, field = '') =>
  new DataManagerError(400, `Invalid JSON payload received. ${message}`, [
    {
      '@type': 'type.googleapis.com/google.rpc.BadRequest',
      fieldViolations: [
        { ...(field !== '' && { field }), description: `Invalid JSON payload received. ${message}` },
      ],
    },
  ])

export const notAuthenticated = (reason: string) =>
  new DataManagerError(
    401,
    `Request ${reason === 'CREDENTIALS_MISSING' ? 'is missing required authentication credential' : 'had invalid authentication credentials'}. Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.`,
    [frontDoor(reason)],
  )

export const scopeTooSmall = () =>
  new DataManagerError(403, 'Request had insufficient authentication scopes.', [
    frontDoor('ACCESS_TOKEN_SCOPE_INSUFFICIENT'),
  ])

/** What the platform has and this sandbox does not: a gap of ours must not look like a refusal. */
export const notEmulated = (what: string) => new DataManagerError(501, `Not emulated by the sandbox: ${what}`)

export const envelope = ({ status, message, details }: DataManagerError) => ({
  error: {
    code: status,
    message,
    status: STATUSES[status] ?? 'UNKNOWN',
    ...(details.length > 0 && {
      details: [
        ...details,
        { '@type': 'type.googleapis.com/google.rpc.RequestInfo', requestId: randomUUID() },
      ],
    }),
  },
})

const errorInfo = (reason: string, metadata?: Record<string, string>) => ({
  '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
  reason,
  domain: 'datamanager.googleapis.com',
  ...(metadata && { metadata }),
})

const frontDoor = (reason: string) => ({
  '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
  reason,
  domain: 'googleapis.com',
  metadata: { service: 'datamanager.googleapis.com' },
})

const PROBLEM = 'There was a problem with the request.'

const MESSAGES: Record<string, string> = {
  INTERNAL_ERROR: 'An internal error has occurred.',
  DEADLINE_EXCEEDED: 'The request took too long to respond.',
  RESOURCE_EXHAUSTED: 'Too many requests.',
  NOT_FOUND: 'Resource not found.',
  PERMISSION_DENIED: 'The user does not have permission or the resource is not found.',
  REQUIRED_FIELD_MISSING: 'Required field is missing.',
  INVALID_HEX_ENCODING: 'The HEX encoded value is malformed.',
  INVALID_SHA256_FORMAT: 'The SHA256 encoded value is malformed.',
  INVALID_USER_LIST_TYPE: 'Type of the user list is not applicable for this request.',
  INVALID_USER_LIST_ID: 'User list is not valid.',
  INVALID_DESTINATION: 'This Destination is not valid.',
  TOO_MANY_AUDIENCE_MEMBERS: 'Maximum number of audience members allowed per request is 10,000.',
  TOO_MANY_USER_IDENTIFIERS: 'Maximum number of user identifiers allowed per audience member is 10.',
  TOO_MANY_DESTINATIONS: 'Maximum number of destinations allowed per request is 10.',
  DUPLICATE_DESTINATION_REFERENCE: 'Two or more destinations in the request have the same reference.',
  TERMS_AND_CONDITIONS_NOT_SIGNED: 'Required terms and conditions are not accepted.',
  DISPLAY_NAME_ALREADY_USED: 'The display name is already being used for another user list for the account.',
  MEMBERSHIP_DURATION_TOO_LONG: 'The user list membership duration is too long.',
  OWNERSHIP_REQUIRED_FOR_UPDATE: 'Ownership is required to modify the user list.',
  NOT_ALLOWLISTED: 'The account is not allowlisted for the given feature.',
  ADVERTISER_NOT_ALLOWLISTED_FOR_UPLOADED_DATA:
    'The advertiser needs to be allowlisted to use remarketing lists created from advertiser uploaded data.',
  INVALID_REQUEST_ID: 'The request ID used to retrieve the status of a request is not valid.',
}

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
