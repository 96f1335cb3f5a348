import type { AudienceSource, MemberRows } from '#server/connectors/audience.ts'
import type { ConnectorContext } from '#server/connectors/connector.ts'
import type { Provider } from '#shared/platforms.ts'
import type { SealedChunk } from './chunk.ts'
import type { SealedErasure } from './erase.ts'

/** The effects of the jobs that bring audiences to platforms and take people out of them. */
export interface ShareEffects
  extends
    Pick<ConnectorContext, 'fetch' | 'hosts' | 'tokens' | 'limiter'>,
    Partial<Pick<ConnectorContext, 'sleep'>> {
  /** null: its platform takes no audiences. Throws PlatformFailure without a login that can be used. */
  audiencesOf: (account: {
    provider: Provider
    public_account: number | null
  }) => Promise<AudienceSource | null>
  openChunk: (chunk: SealedChunk) => MemberRows
  openErasure: (erasure: SealedErasure) => MemberRows
  /** By the clock that all processes share. */
  now: () => Promise<Date>
  /** Aborted when the process shuts down. */
  stopping: AbortSignal
  /** Before and after each call of a platform and each store: where tests end a process. */
  step?: (name: string) => Promise<void>
  onUnexpected: (error: unknown, about: Record<string, unknown>) => void
}
