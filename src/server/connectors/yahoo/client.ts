import type { Io, QuotaKey } from '#server/connectors/connector.ts'
import type { AccessGrant } from '#server/connectors/kit/client.ts'
import { final, type Verdict } from '#server/connectors/kit/failures.ts'
import { boundedWait, type HttpResponse } from '#server/connectors/kit/http.ts'
import { loginKey, signIn } from '#server/connectors/kit/token-endpoint.ts'

// What the products of Yahoo have in common on the wire: tokens of an hour, and waits that are mostly not
// stated.

/** Blocks of files; the memory of smaller ones is retained by the process when they have been read. */
export const BLOCK_BYTES = 12 * 1024 * 1024

/** A token from an endpoint that takes a form; stored until it is about to expire. */
export const signInAt = (
  url: string,
  form: () => Promise<Record<string, string>>,
  io: Io<object>,
): Promise<AccessGrant> => signIn({ url, key: loginKey(url, io.login), form, classify: tokenVerdict }, io)

function tokenVerdict(response: HttpResponse): Verdict | null {
  if (response.status === 401 || response.status === 403) return final('credential_expired')
  return response.status === 429 ? pauseAll(response) : null
}

/** Every request waits as long as the platform says. */
export const pauseAll = ({ headers }: HttpResponse): Verdict => ({
  kind: 'quota',
  pauses: 'all',
  wait_ms: retryAfter(headers),
  is_guess: !headers.has('retry-after'),
})

const USUAL_WAIT_MS = 10_000

/** Yahoo documents no wait, so it is mostly the usual one. */
function retryAfter(headers: Headers): number {
  const seconds = headers.get('retry-after') ?? ''
  return /^\d{1,6}$/.test(seconds) ? boundedWait(Number(seconds) * 1000) : USUAL_WAIT_MS
}

/**
 * There are limits, and none is public: four requests of a login and two about an account at once, at a rate
 * that adapts. A login is identified by the endpoint where it signs in, too.
 */
export function quotaKeysOf(
  { platform, token_url, account }: { platform: string; token_url: string; account: string | null },
  { login }: Io<object>,
): QuotaKey[] {
  const id = loginKey(token_url, login)
  const credential: QuotaKey = { platform, kind: 'credential', id, at_once: 4 }
  return account === null
    ? [credential]
    : [credential, { platform, kind: 'account', id: account, at_once: 2 }]
}
