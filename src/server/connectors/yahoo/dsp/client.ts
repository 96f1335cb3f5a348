import { SignJWT } from 'jose'
import type { z } from 'zod'
import { PlatformFailure } from '#server/connectors/connector.ts'
import {
  callPlatform,
  refused,
  strayResponse,
  type Outcome,
  type RefusedCall,
} from '#server/connectors/kit/client.ts'
import { final, renew, retry, unreadable, type Verdict } from '#server/connectors/kit/failures.ts'
import { json, jsonRequest, parseWith, utf8Blocks, type HttpResponse } from '#server/connectors/kit/http.ts'
import { redactedFacts } from '#server/connectors/kit/secrets.ts'
import { BLOCK_BYTES, pauseAll, quotaKeysOf, signInAt } from '#server/connectors/yahoo/client.ts'
import { DspRefusal, type DspIo } from '#server/connectors/yahoo/schema.ts'

export interface ApiCall {
  host: 'yahoo_dsp' | 'yahoo_dsp_reports'
  path: string
  /** Sent as JSON; a call without one is a GET. */
  body?: unknown
  /** The advertiser that it is about; null for the login's own lists. */
  account: string | null
}

/** Sends one call and reads the response by a schema. Refusals have the HTTP status as their reason. */
export async function callApi<Schema extends z.ZodType>(
  { host, path, body, account }: ApiCall,
  schema: Schema,
  io: DspIo,
): Promise<z.output<Schema>> {
  const outcomeOf = (response: HttpResponse, token: string): Outcome<unknown> => {
    if (response.status !== 200) return refusalOf(response, path, { token, io })
    const result = json(response)
    return result === undefined ? strayResponse(response, path) : { value: result }
  }
  const init = (token: string) => jsonRequest(body, { ...headersWith(token), accept: 'application/json' })
  const quotaKeys = keysOf(account, io)
  const call = { url: `${io.hosts[host]}${path}`, init, signIn: () => signIn(io), quotaKeys, outcomeOf }
  return parseWith(schema, await callPlatform(call, io), path)
}

/** A file of the platform's. Mostly it is in a file store, which must not be sent the token. */
export async function download<Value>(
  { url, account }: { url: string; account: string },
  read: (file: Buffer[]) => Value,
  io: DspIo,
): Promise<Value> {
  const { address, is_own } = addressOf(url, io)
  const outcomeOf = (response: HttpResponse, token: string): Outcome<Value> => {
    // A file store that refuses says nothing of the account: an expired address is enough.
    if (response.status !== 200)
      return is_own
        ? refusalOf(response, 'report file', { token, io })
        : strayResponse(response, 'report file')
    try {
      return { value: read(utf8Blocks(response)) }
    } catch (error) {
      if (error instanceof PlatformFailure) return { verdict: retry, failure: error }
      throw error
    }
  }
  const call = {
    url: address,
    init: (token: string) => (is_own ? { headers: headersWith(token) } : {}),
    signIn: () => signIn(io),
    quotaKeys: keysOf(account, io),
    limits: { max_bytes: FILE_BYTES, block_bytes: BLOCK_BYTES, timeout_ms: FILE_TIMEOUT_MS },
    outcomeOf,
  }
  return callPlatform(call, io)
}

/** At the platform itself a file is requested like everything else there, over HTTPS too. */
function addressOf(url: string, { hosts }: DspIo): { address: string; is_own: boolean } {
  const own = URL.parse(hosts.yahoo_dsp_reports)
  const stated = URL.parse(url)
  const is_own = stated !== null && stated.host === own?.host
  const address = is_own ? URL.parse(`${stated.pathname}${stated.search}`, own.origin) : stated
  if (address === null || (address.protocol !== 'https:' && !is_own))
    throw unreadable('the address of a report')
  return { address: address.href, is_own }
}

const FILE_BYTES = 256 * 1024 * 1024
const FILE_TIMEOUT_MS = 300_000
const TOKEN_PATH = '/identity/oauth2/access_token'
const ASSERTION_S = 600

const headersWith = (token: string) => ({ 'x-auth-method': 'OAuth2', 'x-auth-token': token })

const tokenUrl = ({ hosts }: DspIo) => `${hosts.yahoo_dsp_token}${TOKEN_PATH}`

const keysOf = (account: string | null, io: DspIo) =>
  quotaKeysOf({ platform: 'yahoo_dsp', token_url: tokenUrl(io), account }, io)

const signIn = (io: DspIo) => signInAt(tokenUrl(io), () => assertion(io), io)

/** The secret never travels: it signs for the client. */
async function assertion({ hosts, login, now }: DspIo): Promise<Record<string, string>> {
  const issuedAt = Math.floor(now().getTime() / 1000)
  const signed = await new SignJWT({})
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer(login.client_id)
    .setSubject(login.client_id)
    .setAudience(`${hosts.yahoo_dsp_token}${TOKEN_PATH}?realm=dsp`)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + ASSERTION_S)
    .setJti(crypto.randomUUID())
    .sign(new TextEncoder().encode(login.client_secret))
  return {
    grant_type: 'client_credentials',
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: signed,
    scope: 'dsp-api-access',
    realm: 'dsp',
  }
}

function refusalOf(
  response: HttpResponse,
  path: string,
  { token, io }: { token: string; io: DspIo },
): RefusedCall {
  const { status } = response
  const verdict = classify(response)
  if (verdict === null) return strayResponse(response, path)
  const refusal = DspRefusal.safeParse(json(response))
  const words = refusal.success ? wordsOf(refusal.data) : `${path}: HTTP ${status}`
  const secrets = [token, io.login.client_secret]
  return refused(verdict, redactedFacts({ reason: String(status), words }, secrets))
}

const wordsOf = ({ errors }: z.infer<typeof DspRefusal>) =>
  (Array.isArray(errors) ? errors : [errors]).map(({ message }) => message).join('; ')

/** null: the response is none of the platform's. */
function classify(response: HttpResponse): Verdict | null {
  const { status } = response
  if (status === 401) return renew
  if (status === 403) return final('account_access_lost')
  if (status === 429) return pauseAll(response)
  return status === 400 || status === 404 ? final('platform_error') : null
}
