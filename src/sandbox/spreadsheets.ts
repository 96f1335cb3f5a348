import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Clock } from './clock.ts'
import type { Grants } from './oauth/grants.ts'
import type { Mounted } from './sandbox.ts'
import { createSheetsService } from './workspace/service.ts'

const Limits = z.strictObject({
  /** Requests a minute. */
  quota: z
    .strictObject({
      per_user: z.int().positive().default(60),
      per_project: z.int().positive().default(300),
    })
    .optional(),
  /** Cells a spreadsheet may have. */
  cell_limit: z.int().positive().optional(),
})

/**
 * The spreadsheet and drive service on its data in `dir`, as a part of the sandbox. As soon as the address is
 * known it writes the system users' key files there, service-account.json, service-account-2.json and so on,
 * in the shape that Google's console issues, and removes those of an earlier start.
 */
export function mountSpreadsheets(
  dir: string,
  { clock, origin, grants }: { clock: Clock; origin: () => string; grants: Grants },
  system_users?: readonly string[],
): Mounted {
  const service = createSheetsService({
    dir,
    clock: () => new Date(clock.now()),
    origin,
    grants,
    ...(system_users && { system_users }),
  })
  const { control } = service
  const limits = () => ({ quota: control.getQuota(), cell_limit: control.getCellLimit() })
  return {
    platformOf(path) {
      if (path.startsWith('/v4/')) return 'sheets'
      if (path.startsWith('/drive/')) return 'drive'
      return path === '/token' || path === '/revoke' ? 'oauth' : 'viewer'
    },
    handle: service.handle,
    ready() {
      for (const name of readdirSync(dir))
        if (/^service-account(-\d+)?\.json$/.test(name)) rmSync(join(dir, name))
      for (const [index, email] of control.system_users.entries()) {
        const key = JSON.stringify(control.serviceAccountKey(email), null, 2)
        const name = index === 0 ? 'service-account.json' : `service-account-${index + 1}.json`
        writeFileSync(join(dir, name), key, { mode: 0o600 })
      }
    },
    control: {
      platforms: ['sheets', 'drive'],
      getFaults: control.getFaults,
      setFaults: control.setFaults,
      journal: control.journal,
      reset: control.reset,
      revokeTokens: control.revokeTokens,
      limits: {
        names: ['quota', 'cell_limit'],
        get: limits,
        set(values) {
          const { quota, cell_limit } = Limits.parse(values)
          if (quota) control.setQuota(quota)
          if (cell_limit !== undefined) control.setCellLimit(cell_limit)
        },
      },
    },
    login: control.login,
    close: service.close,
  }
}
