import type { Db } from '#server/db/connect.ts'
import type { TargetContent, SpreadsheetEffects } from '#server/http/effects.ts'
import { liveList } from '#server/live-list.ts'
import { openRecent } from '#server/recent-cache.ts'
import { addTab } from '#server/sheets/add-tab.ts'
import { SheetsFailure } from '#server/sheets/failure.ts'
import { readTargetContent } from '#server/sheets/target-content.ts'
import { checkPermission, listTabs, type PermissionEffects } from '#server/sheets/check-permission.ts'
import { findCode } from '#server/sheets/proof.ts'
import type { SpreadsheetResponse } from '#server/sheets/schema.ts'
import type { SystemUser } from '#server/sheets/system-user.ts'
import { findWritingSystemUser, systemUserOf, type SeekEffects } from './system-user.ts'

/** The spreadsheet service as the API uses it: each file by the system user that it is shared with. */
export function spreadsheetEffects(effects: SeekEffects): SpreadsheetEffects {
  // Access to the file has been checked before; its content is the same for everybody.
  const limits = { fresh_ms: 10_000, bytes: 8 * 1024 * 1024 }
  const results = openRecent<TargetContent>(limits)
  const known = openRecent<SpreadsheetResponse>(limits)

  /** The cache of one system user's requests: permissions differ between system users. */
  const effectsAs = (user: SystemUser): PermissionEffects => {
    const keyOf = (spreadsheet_id: string) => `${user.client.system_user} ${spreadsheet_id}`
    return {
      ...user,
      sleep: effects.sleep,
      signal: effects.signal,
      structures: {
        find: id => known.find(0, keyOf(id), new Date())?.value ?? null,
        keep: (id, value) => known.keep(0, keyOf(id), { value, bytes: sizeOf(value), now: new Date() }),
        readAt: id => known.find(0, keyOf(id), new Date())?.at ?? null,
      },
    }
  }
  const effectsFor = async (db: Db, spreadsheet_id: string) =>
    effectsAs(await systemUserOf(db, spreadsheet_id, effects))

  return {
    system_users: liveList(() =>
      effects.system_users.map(({ client: { system_user: address, project } }) => ({ address, project })),
    ),
    async findSystemUser(db, spreadsheet_id) {
      const { result, title, user, permissions } = await findWritingSystemUser(db, spreadsheet_id, effects)
      const isReachable = result !== 'not_shared' && result !== 'unreachable'
      return { result, title, permissions, system_user: isReachable ? user.client.system_user : null }
    },
    async check(db, request) {
      const user = await effectsFor(db, request.spreadsheet_id).catch((error: unknown) => {
        if (error instanceof SheetsFailure) return null
        throw error
      })
      // The previous system user has lost it meanwhile: nothing to reuse.
      if (user === null) return { result: 'unreachable' }
      const { result, detail } = await checkPermission(request, user)
      const { new_name, range } = detail
      return {
        result,
        ...(typeof new_name === 'string' && { new_name }),
        ...(typeof range === 'string' && { protected_range: range }),
      }
    },
    tabs: async (db, id) => await listTabs(id, await effectsFor(db, id)),
    addTab: async (db, id, title) => await addTab(id, title, await effectsFor(db, id)),
    async readTarget(db, { spreadsheet_id, sheet_name, start_cell }) {
      const user = await effectsFor(db, spreadsheet_id)
      // A new check means that the sharing was changed.
      const keyNow = () =>
        JSON.stringify([spreadsheet_id, sheet_name, start_cell, user.structures?.readAt(spreadsheet_id)])
      const recent = results.find(0, keyNow(), new Date())
      if (recent) return recent.value
      const value = await readTargetContent(spreadsheet_id, { sheet_name, start_cell }, user)
      results.keep(0, keyNow(), { value, bytes: sizeOf(value), now: new Date() })
      return value
    },
    findCode: async (db, id, code) => await findCode(id, code, await effectsFor(db, id)),
  }
}

const sizeOf = (value: object) => JSON.stringify(value).length * 2
