import type { Account } from '#sandbox/dataset/agency.ts'

/** An audience of an ad account. Its sizes and states follow from the time: states.ts. */
export interface Audience {
  id: string
  account: Account
  name: string
  description: string
  content: Content
  created_at: number
  /** When somebody last changed who is in it, or what it is called. */
  changed_at: number
  /** Until when Meta is still working on the last change, and what the audience shows meanwhile. */
  filling: { until: number; size_before: number; replaces: boolean }
  /** The bare numbers of the accounts that it is shared with. */
  recipients: Set<string>
}

type Content = CustomerFile | Website | Lookalike | Engagement

export interface CustomerFile {
  subtype: 'CUSTOM'
  source: string
  /** The numbers of the people whom Meta knows: each counts once, by however many hashes they came. */
  people: Set<number>
  /** People from before the sandbox kept count. */
  others: number
  /** A replacement of which not all batches have come. */
  replacement: { session_id: string; first_at: number; people: Set<number> } | null
}

interface Website {
  subtype: 'WEBSITE'
  rule: string
  retention_days: number
  /** Filled with those who came before it was made. */
  prefill: boolean
  pixel_fires: boolean
  size: number
}

interface Lookalike {
  subtype: 'LOOKALIKE'
  origin_id: string
  spec: { ratio: number; country: string; starting_ratio?: number }
  size: number
}

interface Engagement {
  subtype: 'ENGAGEMENT'
  retention_days: number
}

export const isCustomerFile = (audience: Audience): audience is Audience & { content: CustomerFile } =>
  audience.content.subtype === 'CUSTOM'

export const isLookalikeOf = (audience: Audience, originId: string) =>
  audience.content.subtype === 'LOOKALIKE' && audience.content.origin_id === originId
