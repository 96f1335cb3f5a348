/** What came of following a link to its end. */
export const checkOutcomes = [
  'ok',
  /** A redirect lost a utm parameter. */
  'utm_lost',
  'http_error',
  'not_reachable',
  'too_many_redirects',
  /** An address that is not public, on the way or at the end; nothing was sent to it. */
  'blocked_address',
  'tls_error',
] as const
export type CheckOutcome = (typeof checkOutcomes)[number]

/** One address on the way. */
export interface CheckHop {
  url: string
  /** null: no response. */
  status: number | null
}

export interface LinkCheck {
  outcome: CheckOutcome
  hops: CheckHop[]
  /** ISO 8601. */
  checked_at: string
}
