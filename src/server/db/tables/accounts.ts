import type { Generated } from 'kysely'
import type { Channel, PlatformDimension } from '#shared/channels/catalogue.ts'
import type { ConnectablePlatform, LoginKind, Service } from '#shared/connect.ts'
import type { Platform, Provider } from '#shared/platforms.ts'
import type { GeneratedJson } from './json.ts'

export interface PublicAccountTable {
  id: Generated<number>
  platform: Platform
  name: string
  login: Uint8Array
  login_fields: string[]
  expires_at: Date | null
  tested_at: Date | null
  test_result: string | null
  failing_since: Date | null
  expiry_notified_at: Date | null
  created_by: number | null
  created_at: Generated<Date>
  last_modified_at: Generated<Date>
  kind: Generated<LoginKind>
  person_id: Generated<string | null>
  person_name: Generated<string | null>
  person_email: Generated<string | null>
  connected_by: Generated<number | null>
  connected_at: Generated<Date | null>
}

export interface PlatformAppTable {
  platform: ConnectablePlatform
  client_id: string | null
  client_secret: Uint8Array | null
  config_id: string | null
  developer_token: Uint8Array | null
  version: Generated<number>
  last_modified_at: Generated<Date>
}

export interface PublicAccountServiceTable {
  id: Generated<number>
  public_account: number
  service: Service
  enabled: boolean
}

export interface PublicAccountPermissionTable {
  public_account: number
  service: Service
  scope: string
  granted: boolean | null
  checked_at: Date
}

export interface ConnectStateTable {
  hash: Uint8Array
  nonce_hash: Uint8Array
  user_id: number
  platform: ConnectablePlatform
  services: Service[]
  public_account: number | null
  verifier: Uint8Array | null
  pending: Uint8Array | null
  expires_at: Date
  used_at: Date | null
}

export interface AdAccountTable {
  id: Generated<number>
  channel: Channel
  provider: Provider
  external_id: string
  via: string | null
  public_account: number | null
  ga_account_id: string | null
  ga_account_name: string | null
  property_id: string | null
  property_name: string | null
  name: string
  currency: string
  timezone: string
  status: Generated<string>
  ecid: string | null
  advertiser: number | null
  last_checked_at: Date | null
  created_at: Generated<Date>
  last_modified_at: Generated<Date>
}

export interface SpendDayTable {
  ad_account: number
  day: string
  cost: number | null
  impressions: number | null
  clicks: number | null
  conversions: number | null
}

export interface SpendAccountTable {
  ad_account: number
  known_from: string | null
  known_to: string | null
  settled_to: string | null
  refreshed_at: Date | null
  next_at: Date
  claim: string | null
  claimed_until: Date | null
  failures: Generated<number>
  code: string | null
  jobs: GeneratedJson<Record<string, string>>
}

export interface UaArchiveDayTable {
  id: Generated<number>
  view_id: string
  day: string
  dimensions: PlatformDimension[]
  metrics: string[]
  rows: number
  imported_at: Generated<Date>
}

export interface FilterValueTable {
  ad_account: number
  dimension: PlatformDimension
  value: string
  last_seen_at: Generated<Date>
}
