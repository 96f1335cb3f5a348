import type { AgencyField } from '#shared/api/instructions.ts'
import type { Channel } from '#shared/channels/catalogue.ts'
import type { InstructionSection } from '#shared/instructions.ts'
import type { Text } from '#shared/language.ts'

/** Something to copy: a value of the agency, an address, a scope, or a constant of the platform. */
export type CopiedValue =
  | { field: AgencyField; label: Text }
  | { of: 'system_users' | 'google_ads_addresses' | 'ga4_addresses'; label: Text }
  | { of: 'google_ads_scope' | 'ga4_scope' | 'callback_url'; label: Text }
  | { constant: string; label: Text }

/** How one platform is authorised: who does what, where, and what is sent back. */
export interface Section {
  id: InstructionSection
  title: Text
  /** Who can do it. */
  who: Text
  steps: readonly Text[]
  values: readonly CopiedValue[]
  /** What the agency copies, to connect the platform itself. */
  agency_values: readonly CopiedValue[]
  send_back: Text
  /** What often goes wrong. */
  hints: readonly Text[]
  /** What the agency does afterwards, or once for all of its clients. */
  agency: readonly Text[]
  /** Channels whose accounts can be checked; none: there is no account. */
  channels: readonly Channel[]
}
