import { createHash } from 'node:crypto'
import type { RefusalFacts } from './failures.ts'

const LONGEST = 1000

/**
 * A platform's own words, for internal people: they may repeat what was sent, plainly or encoded as in a URL.
 */
export function withoutSecrets(text: string, secrets: readonly (string | undefined)[]): string {
  const forms = secrets.flatMap(secret => (secret ? [secret, encodeURIComponent(secret)] : []))
  const redacted = forms.reduce((rest, form) => rest.replaceAll(form, '…'), text)
  return redacted.replaceAll(HASHES, '…').slice(0, LONGEST)
}

/** People, where a platform repeats what was uploaded. */
const HASHES = /[\da-f]{64}/gi

/** Identifies a secret without revealing it: for keys of quotas and of stored tokens. */
export const keyFingerprint = (secret: string) =>
  createHash('sha256').update(secret).digest('base64url').slice(0, 22)

/**
 * What internal people may read about a refusal, without anything secret in it. `code` stands behind the
 * platform's words, however long they are.
 */
export const redactedFacts = (
  refusal: { reason: string; words: string; code?: string; request_id?: string | null | undefined },
  secrets: readonly (string | undefined)[],
): RefusalFacts => ({
  reason: withoutSecrets(refusal.reason, secrets),
  platform_message: `${withoutSecrets(refusal.words, secrets)}${refusal.code === undefined ? '' : ` [${refusal.code}]`}`,
  platform_request_id: refusal.request_id ? withoutSecrets(refusal.request_id, secrets) : null,
})
