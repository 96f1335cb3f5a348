import { randomBytes } from 'node:crypto'
import { scopesOf } from '#shared/connect.ts'
import { oauthConnectors } from '#server/connectors/all.ts'
import { PlatformFailure, type ConnectorContext } from '#server/connectors/connector.ts'
import { withDeadline } from '#server/connectors/deadline.ts'
import { jobsInMemory } from '#server/connectors/memory-jobs.ts'
import { challengeOf } from '#server/connectors/oauth.ts'
import type { ConnectionEffects, PlatformProblem } from '#server/http/effects.ts'
import type { PlatformAccess } from '#server/resources/ad-accounts/import.ts'

/** Sends people to platforms, and their codes after them. */
export function connectionEffects(platforms: PlatformAccess): ConnectionEffects {
  const waiting = <T>(work: (context: ConnectorContext) => Promise<T>): Promise<T | PlatformProblem> =>
    withDeadline(PATIENCE_MS, { ...platforms, jobs: jobsInMemory() }, work).catch(asProblem)
  return {
    begin(platform, { services, ...request }) {
      const { pkce, consentUrl } = oauthConnectors[platform]
      const verifier = pkce ? randomBytes(32).toString('base64url') : null
      const challenge = verifier === null ? null : challengeOf(verifier)
      const scopes = scopesOf(platform, services)
      return { url: consentUrl({ ...request, scopes, challenge }, platforms.hosts), verifier }
    },
    exchange: (platform, request) => waiting(context => oauthConnectors[platform].exchange(request, context)),
    grantedScopes: (platform, login) =>
      waiting(async context => ({ scopes: await oauthConnectors[platform].grantedScopes(login, context) })),
    renew: (platform, { app, login }) =>
      waiting(async context => {
        const renewed = await oauthConnectors[platform].renew?.(login, app, context)
        return renewed ?? { login, expires_at: null }
      }),
    canRevoke: platform => oauthConnectors[platform].revoke !== undefined,
    revoke: (platform, { app, login }) =>
      waiting(async context => {
        await oauthConnectors[platform].revoke?.(login, app, context)
        return null
      }),
  }
}

/** Several requests, one after the other. */
const PATIENCE_MS = 60_000

function asProblem(error: unknown): PlatformProblem {
  if (!(error instanceof PlatformFailure)) throw error
  const { code, platform_message: message, retry_after_ms } = error
  return { code, message, retry_after_ms }
}
