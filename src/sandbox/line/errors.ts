/** A refusal: LINE gives reasons, and the property at fault where there is one. */
export class LineError extends Error {
  readonly status: number
  readonly reason: string
  readonly property: string | undefined

  constructor(status: number, reason: string, property?: string) {
    super(`${status} ${reason}`)
    this.status = status
    this.reason = reason
    this.property = property
  }
}

/** What LINE has and the sandbox does not. */
export const notEmulated = (what: string) => new LineError(501, `THE_SANDBOX_DOES_NOT_EMULATE ${what}`)

export const refused = (reason: string, property?: string) => new LineError(400, reason, property)

export const forbidden = (
  reason:
    | 'AUTHORIZATION_FAILED'
    | 'PARTNER_PERMISSION_DENIED'
    | 'ACCOUNT_NOT_ALLOWED'
    | 'V2_API_AUTHORIZATION_FAILED',
) => new LineError(403, reason)
