import type { QuotaKey } from '#server/connectors/connector.ts'
import { projectOf } from '#server/connectors/kit/google-token.ts'
import type { UaIo } from './schema.ts'

/**
 * Documented: 2,000 requests in 100 seconds for a project, 100 for a login; a view has a number of requests a
 * day, and ten at once.
 */
export function quotaKeysOf(
  { view, credential }: { view: string | null; credential: string },
  { login }: Pick<UaIo, 'login'>,
): QuotaKey[] {
  const platform = 'universal_analytics'
  return [
    { platform, kind: 'app', id: projectOf(login), rate: { per_minute: 1140, burst: 100 }, at_once: 20 },
    {
      platform,
      kind: 'credential',
      id: credential,
      rate: { per_minute: 54, burst: 10 },
      at_once: 4,
    },
    ...(view === null ? [] : [{ platform, kind: 'account' as const, id: view, at_once: 4 }]),
  ]
}
