import { SignJWT } from 'jose'
import type { z } from 'zod'
import { PlatformFailure, type PlatformErrorCode, type QuotaKey } from '#server/connectors/connector.ts'
import { unreadable } from '#server/connectors/kit/failures.ts'
import { json, utf8 } from '#server/connectors/kit/http.ts'
import { withoutSecrets } from '#server/connectors/kit/secrets.ts'
import {
  answered,
  loginKey,
  Refused,
  retryAfter,
  signedIn,
  classifyStatus,
  type SignedReply,
  type Verdict,
} from '#server/connectors/yahoo/client.ts'
import { DspRefusal, type DspIo } from '#server/connectors/yahoo/schema.ts'

export interface ApiCall {
  host: 'yahoo_dsp' | 'yahoo_dsp_reports'
  path: string
  /** Sent as JSON; a call without one is a GET. */
  body?: unknown
  /** The advertiser that it is about; null for the login's own lists. */
  account: string | null
}

/**
 * Asks Yahoo DSP one call and reads the answer by a schema. Refusals are thrown as `Refused`, with the
 * HTTP status as their reason.
 */
export async function callApi<Schema extends z.ZodType>(
  { host, path, body, account }: ApiCall,
  schema: Schema,
  io: DspIo,
): Promise<z.output<Schema>> {
  const judge = (response: SignedReply): Verdict<z.output<Schema>> => {
    if (response.status !== 200) return refusalOf(response, path, io)
    const answer = json(response)
    if (answer === undefined) return classifyStatus(response, path)
    const read = schema.safeParse(answer)
    if (read.success) return { kind: 'answer', answer: read.data }
    return { kind: 'final', failure: unreadable(`${path}: ${read.error.issues[0]?.path.join('.')}`) }
  }
  const init = (token: string): RequestInit => ({
    headers: {
      ...headersWith(token),
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  })
  const quotaKeys = quotaKeysOf(account, io)
  return answered({ url: `${io.hosts[host]}${path}`, init, quotaKeys, judge }, () => signIn(io), io)
}

/** A file of the platform's. It lies at a store of files mostly, which must not be told the token. */
export async function download<T>(
  { url, account }: { url: string; account: string },
  read: (text: string) => T,
  io: DspIo,
): Promise<T> {
  const own = URL.parse(io.hosts.yahoo_dsp_reports)
  const told = URL.parse(url)
  const is_own = told !== null && told.host === own?.host
  // At the platform itself it is asked for as everything else there, encrypted too.
  const place = is_own ? URL.parse(`${told.pathname}${told.search}`, own.origin) : told
  if (place === null || (place.protocol !== 'https:' && !is_own)) throw unreadable('the address of a report')
  const judge = (response: SignedReply): Verdict<T> => {
    // A store of files that refuses says nothing of the account: an address of yesterday is all it takes.
    if (response.status !== 200)
      return is_own ? refusalOf(response, 'report file', io) : classifyStatus(response, 'report file')
    try {
      return { kind: 'answer', answer: read(utf8(response)) }
    } catch (error) {
      if (error instanceof PlatformFailure) return { kind: 'retry', failure: error }
      throw error
    }
  }
  const call = {
    url: place.href,
    init: (token: string) => (is_own ? { headers: headersWith(token) } : {}),
    quotaKeys: quotaKeysOf(account, io),
    limits: { max_bytes: FILE_BYTES, timeout_ms: FILE_TIMEOUT_MS },
    judge,
  }
  return answered(call, () => signIn(io), io)
}

const FILE_BYTES = 256 * 1024 * 1024
const FILE_TIMEOUT_MS = 300_000
const TOKEN_PATH = '/identity/oauth2/access_token'
const ASSERTION_S = 600

const headersWith = (token: string) => ({ 'x-auth-method': 'OAuth2', 'x-auth-token': token })

const signIn = (io: DspIo) =>
  signedIn({ url: `${io.hosts.yahoo_dsp_token}${TOKEN_PATH}`, form: () => assertion(io) }, io)

/** The secret never travels: it signs for the client. */
async function assertion({ hosts, login, now }: DspIo): Promise<Record<string, string>> {
  const issued_at = Math.floor(now().getTime() / 1000)
  const signed = await new SignJWT({})
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer(login.client_id)
    .setSubject(login.client_id)
    .setAudience(`${hosts.yahoo_dsp_token}${TOKEN_PATH}?realm=dsp`)
    .setIssuedAt(issued_at)
    .setExpirationTime(issued_at + ASSERTION_S)
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

/** No limit is documented: as careful as with the other products of the name. */
function quotaKeysOf(account: string | null, io: DspIo): QuotaKey[] {
  const id = loginKey(`${io.hosts.yahoo_dsp_token}${TOKEN_PATH}`, io.login)
  const credential: QuotaKey = { platform: 'yahoo_dsp', kind: 'credential', id, at_once: 4 }
  return account === null
    ? [credential]
    : [credential, { platform: 'yahoo_dsp', kind: 'account', id: account, at_once: 2 }]
}

function refusalOf<T>(response: SignedReply, path: string, io: DspIo): Verdict<T> {
  const { status, headers } = response
  const refusal = DspRefusal.safeParse(json(response))
  const code = codeOf(status)
  if (code === undefined) return classifyStatus(response, path)
  const failure = new Refused(String(status), code, {
    platform_message: withoutSecrets(refusal.success ? wordsOf(refusal.data) : `${path}: HTTP ${status}`, [
      response.token,
      io.login.client_secret,
    ]),
    ...(code === 'quota_exhausted' && { retry_after_ms: retryAfter(headers) }),
  })
  if (status === 401) return { kind: 'token_refused', failure }
  if (status === 429) return { kind: 'quota', failure }
  return { kind: 'final', failure }
}

const wordsOf = ({ errors }: z.infer<typeof DspRefusal>) =>
  (Array.isArray(errors) ? errors : [errors]).map(({ message }) => message).join('; ')

function codeOf(status: number): PlatformErrorCode | undefined {
  if (status === 401) return 'credential_expired'
  if (status === 403) return 'account_access_lost'
  if (status === 429) return 'quota_exhausted'
  return status === 400 || status === 404 ? 'platform_error' : undefined
}
