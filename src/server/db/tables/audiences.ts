import type { Generated } from 'kysely'
import type { HashCounts } from '#shared/api/audiences.ts'
import type {
  AudienceKind,
  AudienceStatus,
  Collector,
  Consent,
  ErasureOutcome,
  MemberColumn,
  ShareMode,
  ShareState,
  UploadAction,
  VisitorRule,
} from '#shared/audiences.ts'
import type { GeneratedJson, NullableJson } from './json.ts'

interface Versioned {
  id: Generated<number>
  version: Generated<number>
  created_at: Generated<Date>
  last_modified_at: Generated<Date>
}

export interface AudienceTable extends Versioned {
  advertiser: number
  kind: AudienceKind
  name: string
  description: Generated<string>
  collected_by: Collector | null
  basis: string | null
  confirmed_by: number | null
  confirmed_at: Date | null
  consent: NullableJson<Consent>
  window_days: number | null
  keep_days: number | null
  site: number | null
  rule: NullableJson<VisitorRule>
  seed: number | null
  country: string | null
  ratio: number | null
  ga4_view: number | null
  ga4_audience: string | null
  status: Generated<AudienceStatus>
  rows: Generated<number>
  expires_at: Date | null
  is_deleting: Generated<boolean>
  created_by: number | null
}

export interface AudienceUploadTable {
  id: string
  position: number | null
  audience: number
  session: string
  action: UploadAction
  columns: MemberColumn[]
  state: Generated<'open' | 'taken' | 'dropped'>
  next_seq: Generated<number>
  rows: Generated<number>
  counts: NullableJson<HashCounts>
  basis: string | null
  created_by: number | null
  created_at: Date
  last_modified_at: Date
  taken_at: Date | null
}

export interface AudienceUploadBatchTable {
  upload: string
  seq: number
  digest: Uint8Array
  rows: number
  stored: number
}

export interface AudienceChunkTable {
  id: Generated<number>
  audience: number
  upload: string
  columns: MemberColumn[]
  rows: number
  fingerprints: Uint8Array
  sealed: Uint8Array
}

export interface SharePart {
  part: string
  external_id: string | null
  progress: Record<string, string | number | boolean | null | readonly string[]>
}

/** What a share is sending: the whole list to a new account, or one upload. */
export interface ShareTask {
  action: UploadAction
  /** null: the whole list as it is. */
  upload: string | null
  /** The position up to which uploads are in what is sent. */
  up_to: number
  session: number
  /** The index of the part that it has come to. */
  part: number
  /** The last chunk that the platform has taken. */
  after_chunk: number
  batch: number
  batches: number
  rows: number
  sent_rows: number
  begun_at: string
}

export interface AudienceShareTable {
  id: Generated<number>
  audience: number
  ad_account: number
  mode: ShareMode
  business: string | null
  home: number | null
  state: ShareState
  parts: GeneratedJson<SharePart[]>
  task: NullableJson<ShareTask>
  sent_to: Generated<number>
  size: string | null
  match: string | null
  code: string | null
  message: string | null
  request_id: string | null
  synced_at: Date | null
  checked_at: Date | null
  auto_sync: Generated<boolean>
  failures: Generated<number>
  next_at: Date | null
  claim: string | null
  claimed_until: Date | null
  created_by: number | null
  created_at: Date
  last_modified_at: Date
}

export interface SuppressedMemberTable {
  advertiser: number
  key: Uint8Array
  created_at: Date
}

export interface ErasureTable {
  id: Generated<number>
  advertiser: number
  columns: MemberColumn[]
  rows: number
  removed: Generated<number>
  after_chunk: Generated<number | null>
  sealed: Uint8Array | null
  created_by: number | null
  created_at: Date
  finished_at: Date | null
}

export interface ErasureAccountTable {
  erasure: number
  ad_account: number
  outcome: Generated<ErasureOutcome>
  code: string | null
  failures: Generated<number>
  next_at: Date | null
  claim: string | null
  claimed_until: Date | null
}
