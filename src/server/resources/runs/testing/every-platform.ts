import { providers } from '#shared/platforms.ts'
import { sources } from '#server/connectors/all.ts'
import { demoLogins } from '#server/demo/logins.ts'
import type { RunEffects } from '#server/resources/runs/run-report.ts'

/** Every platform with the login of the demo's agency; in any process. */
export const everyPlatform: Pick<RunEffects, 'sourceOf'> = {
  sourceOf: async ({ provider }) => {
    const { platform } = providers[provider]
    return sources[platform]?.(demoLogins[platform]) ?? null
  },
}
