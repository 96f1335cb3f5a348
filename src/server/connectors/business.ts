/** Throws PlatformFailure: scope_missing when the login was not granted the right to read businesses. */
export interface BusinessReader {
  list(): Promise<PlatformBusiness[]>
  /** Every account that the business owns or is a client of, each once. */
  accounts(business: string): Promise<BusinessAccount[]>
  /** Who of the business works with an account. */
  users(of: { business: string; account: string }): Promise<AssignedUser[]>
}

export interface PlatformBusiness {
  external_id: string
  name: string
  /** In the platform's word; null: not visible. */
  verification: string | null
}

/** What the login may not read is null, and money is in millionths. */
export interface BusinessAccount {
  external_id: string
  name: string
  relation: 'owned' | 'client'
  /** In the platform's numbers. */
  status: number
  disable_reason: number | null
  currency: string
  timezone: string
  /** null: none. */
  spend_cap: number | null
  amount_spent: number | null
  balance: number | null
  is_prepay: boolean | null
  funding: { type: number; label: string } | null
  /** What the login may do there. */
  tasks: string[]
  tos_accepted: boolean | null
  created_at: Date | null
}

export interface AssignedUser {
  external_id: string
  name: string
  tasks: string[]
}
