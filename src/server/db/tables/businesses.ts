import type { Generated, GeneratedAlways } from 'kysely'
import type { BusinessHistory } from '#shared/api/businesses.ts'
import type { GeneratedJson, NullableJson } from './json.ts'

export interface BusinessTable {
  id: Generated<number>
  external_id: string
  name: string
  verification: string | null
  login: number | null
  refreshed_at: Date | null
  tried_at: Date | null
  requested_at: Date | null
  problem: string | null
  created_at: Generated<Date>
}

export interface BusinessAdAccountTable {
  id: Generated<number>
  business: number
  account: string
  name: string
  relation: 'owned' | 'client'
  status: number
  disable_reason: number | null
  currency: string
  timezone: string
  spend_cap: number | null
  amount_spent: number | null
  balance: number | null
  cap_used: GeneratedAlways<number | null>
  is_prepay: boolean | null
  funding: NullableJson<{ type: number; label: string }>
  tasks: GeneratedJson<string[]>
  tos_accepted: boolean | null
  created_at: Date | null
  listed_at: Date
  gone_at: Date | null
  stop_noted: Generated<boolean>
  cap_noted: number | null
  history: GeneratedJson<BusinessHistory>
}

export interface BusinessMemberTable {
  business: number
  user_id: number
  granted_by: number | null
  created_at: Generated<Date>
}

export interface BusinessRefreshTable {
  login: number
  claimed_until: Date | null
  finished_at: Date | null
}
