import type { QuotaKey } from '#server/connectors/connector.ts'
import { credentialKey } from '#server/connectors/yahoo/client.ts'
import type { LyIo } from '#server/connectors/yahoo/schema.ts'

/**
 * There is a limit, which is not public: one request a second for an account, and four accounts at a time, is
 * a careful guess.
 */
export function quotaKeysOf({ account }: { account: string | null }, io: LyIo): QuotaKey[] {
  const credential: QuotaKey = {
    platform: 'ly_ads',
    ...credentialKey(io.hosts.ly_token, io),
    rate: { per_minute: 240, burst: 8 },
    at_once: 4,
  }
  if (account === null) return [credential]
  return [
    credential,
    {
      platform: 'ly_ads',
      kind: 'account',
      id: account,
      rate: { per_minute: 60, burst: 8 },
      at_once: 2,
    },
  ]
}
