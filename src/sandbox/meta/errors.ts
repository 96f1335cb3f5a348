import { randomBytes } from 'node:crypto'

/** A refusal in Meta's own form. */
export class GraphError extends Error {
  readonly status: number
  readonly code: number
  readonly more: {
    error_subcode?: number
    is_transient?: boolean
    type?: string
    error_user_title?: string
    error_user_msg?: string
  }

  constructor(status: number, code: number, message: string, more: GraphError['more'] = {}) {
    super(message)
    this.status = status
    this.code = code
    this.more = more
  }
}

/** The body of a refusal. */
export const envelope = ({ code, message, more }: GraphError) => ({
  error: {
    message,
    type: more.type ?? 'OAuthException',
    code,
    ...(more.error_subcode !== undefined && { error_subcode: more.error_subcode }),
    ...(more.is_transient !== undefined && { is_transient: more.is_transient }),
    ...(more.error_user_title !== undefined && { error_user_title: more.error_user_title }),
    ...(more.error_user_msg !== undefined && { error_user_msg: more.error_user_msg }),
    fbtrace_id: `A${randomBytes(17).toString('base64url').slice(0, 22)}`,
  },
})

/** 100: a parameter, field or combination is wrong. */
export const invalid = (message: string) => new GraphError(400, 100, `(#100) ${message}`)

export const notVisible = (id: string) =>
  new GraphError(
    400,
    100,
    `Unsupported get request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation. Please read the Graph API documentation at https://developers.facebook.com/docs/graph-api`,
    { type: 'GraphMethodException', error_subcode: 33 },
  )

export const tokenExpired = () =>
  new GraphError(
    401,
    190,
    'Error validating access token: Session has expired on Sunday, 01-Nov-26 00:00:00 PST. The current time is after that.',
    { error_subcode: 463 },
  )

export const accessRevoked = () =>
  new GraphError(403, 200, '(#200) Ad account owner has NOT grant ads_management or ads_read permission')

export const tooMuchData = () =>
  new GraphError(400, 100, "Please reduce the amount of data you're asking for, then retry your request", {
    error_subcode: 1487534,
    is_transient: false,
    error_user_title: 'Too much data was requested in this query',
    error_user_msg: 'Please reduce the date range or use an asynchronous query.',
  })

const WAIT =
  'Wait a bit and try again. For more info, please refer to https://developers.facebook.com/docs/graph-api/overview/rate-limiting.'

/** The quota refusals, by code and subcode. */
const RATE_LIMITS: Record<string, GraphError> = {
  '4': new GraphError(403, 4, '(#4) Application request limit reached', { is_transient: true }),
  '4/1504022': new GraphError(
    403,
    4,
    '(#4) There have been too many calls from this app to insights. Wait a bit and try again.',
    {
      error_subcode: 1504022,
      is_transient: true,
    },
  ),
  '4/1504039': new GraphError(
    403,
    4,
    '(#4) Insights is under heavy load globally. Wait a bit and try again.',
    {
      error_subcode: 1504039,
      is_transient: true,
    },
  ),
  '17/2446079': new GraphError(
    400,
    17,
    `(#17) User request limit reached: there have been too many calls from this ad-account. ${WAIT}`,
    {
      error_subcode: 2446079,
      is_transient: false,
    },
  ),
  '32': new GraphError(403, 32, '(#32) Page request limit reached'),
  '613': new GraphError(400, 613, '(#613) Calls to this api have exceeded the rate limit.'),
  '613/1487742': new GraphError(
    400,
    613,
    `(#613) There have been too many calls from this ad-account. ${WAIT}`,
    {
      error_subcode: 1487742,
      is_transient: false,
    },
  ),
  ...Object.fromEntries(
    [80000, 80003, 80004, 80014].map(code => [
      String(code),
      new GraphError(400, code, `(#${code}) There have been too many calls to this ad-account. ${WAIT}`, {
        error_subcode: 2446079,
        is_transient: false,
      }),
    ]),
  ),
}

/** The quota refusal of that code; 17/2446079 when none is named. */
export function rateLimit(code: number | undefined, error_subcode: number | undefined): GraphError {
  if (code === undefined) return rateLimit(17, 2446079)
  const name = error_subcode === undefined ? String(code) : `${code}/${error_subcode}`
  return (
    RATE_LIMITS[name] ??
    new GraphError(400, code, `(#${code}) Calls to this api have exceeded the rate limit.`, {
      ...(error_subcode !== undefined && { error_subcode }),
    })
  )
}
