import type { z } from 'zod'
import { PlatformFailure } from '#server/connectors/connector.ts'
import {
  callPlatform,
  refused,
  strayResponse,
  type Outcome,
  type PlatformCall,
  type RefusedCall,
} from '#server/connectors/kit/client.ts'
import { retry, unreadable } from '#server/connectors/kit/failures.ts'
import { json, parseWith, utf8Blocks, type HttpResponse } from '#server/connectors/kit/http.ts'
import { BLOCK_BYTES, quotaKeysOf, signInAt } from '#server/connectors/yahoo/client.ts'
import { LyEnvelope, type LyIo } from '#server/connectors/yahoo/schema.ts'
import { classify, factsOf } from './failures.ts'

export type LyProvider = 'ly_search' | 'ly_display'

export interface ApiCall {
  provider: LyProvider
  /** Service and operation. */
  operation: string
  /** JSON, written by hand where it has ids: they may be beyond 2^53. */
  body: string
  /**
   * The account through which rights are held: a manager, or the ad account itself; null where none is
   * needed.
   */
  base: string | null
  /** The ad account that it is about; null for the login's own lists. */
  account: string | null
}

// Four versions are online at once, two new ones come a year.
const VERSIONS = { ly_search: 'api/v20', ly_display: 'api/v19' } as const
const FILE_BYTES = 256 * 1024 * 1024
const FILE_TIMEOUT_MS = 300_000

/** Sends one call and reads the response by a schema. Refusals have LY's own code as their reason. */
export async function callApi<Schema extends z.ZodType>(
  call: ApiCall,
  schema: Schema,
  io: LyIo,
): Promise<z.output<Schema>> {
  const result = await callPlatform(
    platformCall(call, io, (response, token) => outcomeOf(response, { call, token, io })),
    io,
  )
  return parseWith(schema, result, `${call.operation}: rval`)
}

/** The file of a report, in UTF-8, as its blocks. `isWhole`: whether it was not cut off. */
export async function download(
  call: ApiCall,
  isWhole: (file: Buffer[]) => boolean,
  io: LyIo,
): Promise<Buffer[]> {
  const outcomeOfFile = (response: HttpResponse, token: string): Outcome<Buffer[]> => {
    // A failing download returns JSON, at status 200 too.
    if (response.status !== 200 || response.blocks[0]?.[0] === OPENING_BRACE)
      return refusalIn(response, { call, token, io })
    const file = utf8Blocks(response)
    if (isWhole(file)) return { value: file }
    return { verdict: retry, failure: unreadable('a report without its last row') }
  }
  const limits = { max_bytes: FILE_BYTES, block_bytes: BLOCK_BYTES, timeout_ms: FILE_TIMEOUT_MS }
  return callPlatform({ ...platformCall(call, io, outcomeOfFile), limits }, io)
}

const OPENING_BRACE = 123

function platformCall<Value>(
  call: ApiCall,
  io: LyIo,
  outcome: PlatformCall<Value>['outcomeOf'],
): PlatformCall<Value> {
  const { provider, operation, body, base, account } = call
  return {
    url: `${io.hosts[provider]}/${VERSIONS[provider]}/${operation}`,
    init: token => ({
      method: 'POST',
      body,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, application/octet-stream',
        ...(base !== null && { 'x-z-base-account-id': base }),
      },
    }),
    signIn: () => signInAt(io.hosts.ly_token, () => refreshGrant(io), io),
    quotaKeys: quotaKeysOf({ platform: 'ly_ads', token_url: io.hosts.ly_token, account }, io),
    outcomeOf: outcome,
  }
}

const refreshGrant = async ({ login: { client_id, client_secret, refresh_token } }: LyIo) => ({
  grant_type: 'refresh_token',
  client_id,
  client_secret,
  refresh_token,
})

interface Sent {
  call: ApiCall
  token: string
  io: LyIo
}

function outcomeOf(response: HttpResponse, sent: Sent): Outcome<unknown> {
  const envelope = LyEnvelope.safeParse(json(response, true))
  if (response.status !== 200 || !envelope.success || envelope.data.errors?.length)
    return refusalIn(response, sent)
  return { value: envelope.data.rval }
}

function refusalIn(response: HttpResponse, { call, token, io }: Sent): RefusedCall {
  const envelope = LyEnvelope.safeParse(json(response, true))
  const problems = envelope.success ? (envelope.data.errors ?? []) : []
  if (problems.length === 0) return strayResponse(response, call.operation)
  const facts = factsOf(problems, { io, token, request_id: envelope.data?.rid ?? null })
  return refused(classify(problems, response), facts)
}

/** An account's number, as it may be written into JSON. */
export function numberOf(id: string): string {
  if (/^\d{1,19}$/.test(id)) return id
  throw new PlatformFailure('account_access_lost', { platform_message: 'not a number of an account' })
}
