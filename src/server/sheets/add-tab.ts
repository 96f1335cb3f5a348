import { randomInt } from 'node:crypto'
import type { Tab } from '#shared/api/spreadsheets.ts'
import { batchBody } from './body.ts'
import { SheetsFailure } from './failure.ts'
import { listTabs, type PermissionEffects } from './check-permission.ts'
import { openRequests } from './requests.ts'

/**
 * Enough for a small report: a larger one makes it grow, and an empty grid would use a part of the ten
 * million cells.
 */
const GRID = { rowCount: 200, columnCount: 26 }

/**
 * Creates an empty tab behind the others. Sent twice it is created once, since its id is chosen here. Throws
 * SheetsFailure.
 */
export async function addTab(
  spreadsheet_id: string,
  title: string,
  effects: PermissionEffects,
): Promise<Tab> {
  const sheetId = randomInt(1, 2 ** 31)
  const requests = openRequests(spreadsheet_id, { ...effects, on_step: () => {} })
  const find = async () =>
    (await listTabs(spreadsheet_id, effects, { fresh: true })).find(({ sheet_id }) => sheet_id === sheetId) ??
    null
  const body = batchBody([
    JSON.stringify({ addSheet: { properties: { sheetId, title, gridProperties: GRID } } }),
  ])
  await requests.change(
    'grow',
    { tries: 2, patience_ms: 3000 },
    {
      send: () => effects.client.batchUpdate(spreadsheet_id, body),
      isApplied: async () => (await find()) !== null,
    },
  )
  const tab = await find()
  if (!tab) throw new SheetsFailure('spreadsheet_unavailable')
  return tab
}
