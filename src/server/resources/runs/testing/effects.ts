import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sourceOf } from '#server/connectors/connector.ts'
import { meta } from '#server/connectors/meta/report.ts'
import { sandboxHosts } from '#server/connectors/testing/context.ts'
import { createTokenCache } from '#server/connectors/kit/tokens.ts'
import type { Db } from '#server/db/connect.ts'
import { openSharedFetches } from '#server/fetches/share-fetches.ts'
import { createVault } from '#server/vault.ts'
import { sheetsClient } from '#server/sheets/client.ts'
import { ServiceAccountKey } from '#server/sheets/schema.ts'
import type { RunEffects } from '#server/resources/runs/run-report.ts'

/** The day on which tests of runs take place; the sandbox's clock is fixed there. */
export const TEST_NOW = '2026-11-20T02:00:00Z'

/**
 * Pauses that last ten times as long as they are counted: a run that waits for another's response does not
 * give up because the machine is busy.
 */
export const patient: Pick<RunEffects, 'sleep'> = {
  sleep: (ms, signal) => sleep(10 * ms, undefined, { signal }),
}

/** The same in every process. */
export const TEST_VAULT = createVault([Buffer.alloc(32, 'sheetcast')])

export interface SandboxPlace {
  base_url: string
  folder: string
}

/**
 * What an attempt uses, against the sandbox, in any process; waits of up to a second are real, longer ones
 * are over at once.
 */
export function sandboxEffects(db: Db, { base_url, folder }: SandboxPlace): RunEffects {
  const keys = readdirSync(folder)
    .filter(name => name.startsWith('service-account'))
    .map(name => ServiceAccountKey.parse(JSON.parse(readFileSync(join(folder, name), 'utf8'))))
  const open = { acquire: async () => {}, report: async () => {} }
  return {
    db,
    sourceOf: async () => sourceOf(meta, { access_token: 'sandbox-agency' }),
    fetches: openSharedFetches(db, {
      vault: TEST_VAULT,
      most_bytes: 64 * 1024 * 1024,
      onError: console.error,
    }),
    public_url: 'https://sheetcast.example',
    hosts: sandboxHosts(base_url),
    tokens: createTokenCache(() => new Date(TEST_NOW)),
    limiter: open,
    fetch,
    system_users: keys.map(key => ({
      client: sheetsClient({
        google_sheets_base_url: base_url,
        google_drive_base_url: base_url,
        google_token_url: `${base_url}/token`,
        key,
      }),
      limiter: {
        acquire: async () => {},
        report: async () => 0,
        reservePosition: async () => ({ waitlist: 'open', wait_ms: 0 }),
      },
    })),
    now: () => new Date(TEST_NOW),
    sleep: (ms, signal) => sleep(Math.min(ms, 1), undefined, { signal }),
    stopping: new AbortController().signal,
    step: async () => {},
    onUnexpected: error => console.error(error),
  }
}
