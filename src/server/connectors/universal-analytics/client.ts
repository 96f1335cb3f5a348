import type { z } from 'zod'
import { jsonWithRows, type RowReader } from '#server/connectors/kit/byte-rows.ts'
import { callPlatform, halfResponse, refused, type Outcome } from '#server/connectors/kit/client.ts'
import { googleSecrets, googleToken, keyOf } from '#server/connectors/kit/google-token.ts'
import { json, jsonRequest, parseWith, type HttpResponse } from '#server/connectors/kit/http.ts'
import { redactedFacts } from '#server/connectors/kit/secrets.ts'
import { classify, type Refused } from './failures.ts'
import { quotaKeysOf } from './quotas.ts'
import { ErrorEnvelope, type UaIo } from './schema.ts'

export interface ApiCall {
  host: 'ua' | 'ua_management'
  /** Begins with a slash. */
  path: string
  /** Sent as JSON; left out: a call without a body. */
  body?: unknown
  /** The view that it is about; null for the login's own lists. */
  view: string | null
  /** Reads the rows of a report out of its bytes. */
  rows?: RowReader
}

const SCOPE = 'https://www.googleapis.com/auth/analytics.readonly'

/** Sends one call and reads the response by a schema. */
export async function callApi<Schema extends z.ZodType>(
  call: ApiCall,
  schema: Schema,
  io: UaIo,
): Promise<z.output<Schema>> {
  const body = await callPlatform(
    {
      url: `${io.hosts[call.host]}${call.path}`,
      init: token => jsonRequest(call.body, { authorization: `Bearer ${token}` }),
      signIn: () => googleToken(io.login, SCOPE, io),
      quotaKeys: quotaKeysOf({ view: call.view, credential: keyOf(io.login, SCOPE) }, io),
      outcomeOf: (response, token) => outcomeOf(response, { call, token, io }),
    },
    io,
  )
  return parseWith(schema, body, call.path)
}

/** A redirection is not followed: it could lead anywhere. */
function outcomeOf(
  response: HttpResponse,
  { call, token, io }: { call: ApiCall; token: string; io: UaIo },
): Outcome<unknown> {
  const { status } = response
  const body = call.rows ? jsonWithRows(response, call.rows) : json(response)
  if (status === 200) return body === undefined ? halfResponse(call.path) : { value: body }
  const refusal = refusedIn(status, body)
  const facts = { reason: refusal.reason ?? String(status), words: refusal.message || `HTTP ${status}` }
  return refused(classify(refusal), redactedFacts(facts, googleSecrets(io.login, token)))
}

function refusedIn(status: number, body: unknown): Refused {
  const envelope = ErrorEnvelope.safeParse(body)
  if (!envelope.success) return { status, message: null, reason: null }
  const { message, errors } = envelope.data.error
  return { status, message, reason: errors?.[0]?.reason ?? null }
}
