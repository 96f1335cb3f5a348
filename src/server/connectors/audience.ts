import type { z } from 'zod'
import type {
  AccessResult,
  Collector,
  Consent,
  MemberColumn,
  UploadAction,
  VisitorRule,
} from '#shared/audiences.ts'
import type { ErrorCode } from '#shared/errors.ts'
import {
  type AccountRef,
  type ConnectorContext,
  type HostName,
  type Io,
  PlatformFailure,
} from './connector.ts'

/** What a platform can do with audiences: `open` binds it to a login and to what it may touch. */
export interface AudienceConnector<Login> extends AudienceFacts {
  login: z.ZodType<Login>
  hosts: readonly HostName[]
  open(io: Io<Login>): AudienceOperations
}

/** A connector together with a login. */
export interface AudienceSource extends AudienceFacts {
  open(context: ConnectorContext): AudienceOperations
}

/** Throws when what is stored is no login of the platform. */
export function audienceSourceOf<Login>(
  connector: AudienceConnector<Login>,
  stored: unknown,
): AudienceSource {
  const login = connector.login.parse(stored)
  const { parts, batch_chunks, targets_at_once, removes_members, hosts } = connector
  return {
    parts,
    batch_chunks,
    targets_at_once,
    removes_members,
    open: context =>
      connector.open({ ...context, login, fetch: (to, init) => context.fetch(to, init, hosts) }),
  }
}

interface AudienceFacts {
  /** One audience at the platform for each, in this order. */
  parts: readonly AudiencePart[]
  /** How many chunks of up to 10,000 rows one batch may have. */
  batch_chunks: number
  /** How many accounts of one login a batch may be sent to in one request. */
  targets_at_once: number
  /** Takes single people out of an audience; else it is replaced by the rest. */
  removes_members: boolean
}

/**
 * A job calls these step by step and stores what each step returns before the next one, so any step may be
 * called again after a lost response and must then come to the same end. They throw PlatformFailure.
 */
export interface AudienceOperations {
  /** Whether audiences can be made in an account, asked of the platform; a refusal is a result. */
  check(account: AccountRef): Promise<AccountAccess>
  /** Before the first batch: makes the audience where the platform needs that, or opens a session. */
  begin(target: Target, upload: Upload): Promise<PartState>
  /** One batch, to all targets in one request; all of them are of the same part. Their states in order. */
  send(targets: readonly Target[], batch: Batch): Promise<SentPart[]>
  /** After the last batch. */
  finish(target: Target, upload: Upload): Promise<PartState>
  /** How it stands at the platform: while it matches, and daily afterwards. */
  poll(target: Target): Promise<PartStatus>
  /** Deletes the audience; one that is gone is no failure. */
  remove(target: Target): Promise<void>

  /** The platform's own sharing, where it has one: with further accounts of the same business. */
  share?(home: Target, recipients: readonly AccountRef[]): Promise<void>
  unshare?(home: Target, recipient: AccountRef): Promise<void>
  /** Takes people out of every customer file of an account. Left out: list by list. */
  erase?(account: AccountRef, rows: MemberRows): Promise<'done' | 'nothing_there'>

  /** Other kinds of audience, where the platform has them; polled and removed like customer files. */
  createVisitors?(target: Target, visitors: Visitors): Promise<PartState>
  createLookalike?(target: Target, lookalike: Lookalike): Promise<PartState>
  listPixels?(account: AccountRef): Promise<{ id: string; name: string }[]>
}

export interface AudiencePart {
  /** `all`, `email` or `phone`: a name of ours. */
  part: string
  /** Which columns it takes; a row without any of them is not sent. */
  columns: readonly MemberColumn[]
}

export interface AccountAccess {
  result: AccessResult
  /** Accounts of one business can share an audience; null where it has none or the platform no sharing. */
  business: string | null
  /** Where a person mends it, at the platform. */
  fix_url: string | null
  /** The platform's own words, for internal people. */
  message: string | null
}

/** One part of a share: an audience in an account. */
export interface Target {
  account: AccountRef
  part: AudiencePart
  audience: {
    name: string
    description: string
    /** Unique and stable: finds what a lost response has made. At most 40 characters, [a-z0-9-]. */
    tag: string
    collected_by: Collector
    consent: Consent
    window_days: number
  }
  external_id: string | null
  /** What the connector has stored for itself. */
  progress: Progress
}
export type Progress = Readonly<Record<string, string | number | boolean | null | readonly string[]>>

export interface PartState {
  external_id: string | null
  progress: Progress
}
export interface SentPart extends PartState {
  request_id: string | null
}

export interface Upload {
  /** A positive integer below 2^53, another one for each upload of each part. */
  session: number
  action: UploadAction
  /** Rows in all batches; rows without a column of the part are among them. */
  rows: number
  batches: number
  /** When the upload began: what is older is replaced. */
  begun_at: Date
}

/**
 * The platform does not know the earlier batches of an upload any more: it begins again, without what the
 * connector has stored for itself, and sends all batches.
 */
export class UploadLost extends PlatformFailure {
  constructor({ platform_message, platform_request_id }: PlatformFailure) {
    super('platform_unavailable', { platform_message, platform_request_id })
  }
}

export interface Batch {
  upload: Upload
  /** From 1 on. */
  index: number
  is_last: boolean
  /** Opened one after the other, each at most 10,000 rows; may be read once. */
  chunks: AsyncIterable<MemberRows>
}

export interface MemberRows {
  columns: readonly MemberColumn[]
  /** Lower-case hex; '' where the person has none. In the order of the columns. */
  rows: readonly (readonly string[])[]
}

export interface PartStatus {
  state: 'matching' | 'ready' | 'too_small' | 'stopped' | 'failed'
  /** In the platform's own words. */
  size: string | null
  match: string | null
  /** Why it has stopped or failed. */
  code: ErrorCode | null
  /** While it matches. */
  poll_after_ms: number
}

export interface Visitors {
  pixel: string
  rule: VisitorRule
  window_days: number
}

export interface Lookalike {
  seed_external_id: string
  country: string
  /** Per cent, 1 to 20. */
  ratio: number
}
