import { describe, expect, it } from 'vitest'
import { checkPermission, listTabs, type PermissionRequest } from './check-permission.ts'
import { controlBy, findCode, ownersOf, readPermissions, writersOf } from './proof.ts'
import { freely, OWNER } from './testing/sandbox.ts'
import { testService } from './testing/service.ts'

const service = await testService()

const effects = () => freely(service.client())
const check = (request: PermissionRequest) => checkPermission(request, effects())

async function shared(role = 'writer') {
  const id = await service.owner.create()
  await service.owner.share(id, service.system_user, role)
  return id
}

describe('the permission check', () => {
  it('accepts an editor, and returns title and tab', async () => {
    const spreadsheet_id = await shared()
    expect(await check({ spreadsheet_id, sheet_name: 'T', start_cell: 'B2' })).toEqual({
      result: 'ok',
      code: null,
      detail: {},
      title: 'Weekly',
      sheet_id: 0,
    })
    expect(await check({ spreadsheet_id })).toMatchObject({ result: 'ok', sheet_id: null })
  })

  it('distinguishes a missing file from an unshared one as little as the service does', async () => {
    const private_file = await check({ spreadsheet_id: await service.owner.create(), sheet_name: 'T' })
    const no_file = await check({ spreadsheet_id: '1'.repeat(44), sheet_name: 'T' })
    expect(private_file).toEqual(no_file)
    expect(private_file).toMatchObject({ result: 'not_shared', title: null })
  })

  it('requires an editor where the system user may only read or comment', async () => {
    for (const role of ['reader', 'commenter'])
      expect(await check({ spreadsheet_id: await shared(role), sheet_name: 'T' })).toMatchObject({
        result: 'not_editor',
        code: 'spreadsheet_not_editor',
      })
  })

  it('refuses what is no address of a spreadsheet', async () => {
    expect(await check({ spreadsheet_id: null })).toMatchObject({ result: 'not_a_spreadsheet' })
  })

  it('refuses a file in the bin', async () => {
    const spreadsheet_id = await shared()
    await service.owner.ask('PATCH', `/drive/v3/files/${spreadsheet_id}`, { trashed: true })
    expect(await check({ spreadsheet_id })).toMatchObject({
      result: 'not_shared',
      detail: { trashed: true },
    })
  })

  it('refuses a file that is locked', async () => {
    const spreadsheet_id = await shared()
    await service.owner.ask('PATCH', `/drive/v3/files/${spreadsheet_id}`, {
      contentRestrictions: [{ readOnly: true, reason: 'final' }],
    })
    expect(await check({ spreadsheet_id })).toMatchObject({ result: 'not_editor' })
  })

  it('refuses a tab that is gone, renamed, none at all, or has a colon', async () => {
    const spreadsheet_id = await shared()
    expect(await check({ spreadsheet_id, sheet_name: 'Gone' })).toMatchObject({
      result: 'sheet_name_mismatch',
      detail: {},
    })
    expect(await check({ spreadsheet_id, sheet_name: 't', sheet_id: 0 })).toMatchObject({
      result: 'sheet_name_mismatch',
      detail: { new_name: 'T' },
    })
    expect(await check({ spreadsheet_id, sheet_name: 'half:colon' })).toMatchObject({
      result: 'sheet_name_colon',
    })
    await service.owner.batch(spreadsheet_id, { addSheet: { properties: { title: 'full：colon' } } })
    expect(await check({ spreadsheet_id, sheet_name: 'full：colon' })).toMatchObject({ result: 'ok' })
  })

  it('names a protection that lies over the start cell, unless it only warns', async () => {
    const spreadsheet_id = await shared()
    const range = { sheetId: 0, startRowIndex: 0, endRowIndex: 2 }
    const add = (more: object) =>
      service.owner.batch(spreadsheet_id, { addProtectedRange: { protectedRange: { range, ...more } } })
    await add({ warningOnly: true })
    expect(await check({ spreadsheet_id, sheet_name: 'T', start_cell: 'C2' })).toMatchObject({ result: 'ok' })
    await add({ description: 'Plan', editors: { users: [OWNER] } })
    expect(await check({ spreadsheet_id, sheet_name: 'T', start_cell: 'C2' })).toMatchObject({
      result: 'not_editor',
      code: 'protected_range',
      detail: { description: 'Plan' },
    })
    expect(await check({ spreadsheet_id, sheet_name: 'T', start_cell: 'C3' })).toMatchObject({ result: 'ok' })
  })

  it('names a protected named range over the start cell', async () => {
    const spreadsheet_id = await shared()
    const range = { sheetId: 0, startRowIndex: 0, endRowIndex: 2 }
    await service.owner.batch(
      spreadsheet_id,
      { addNamedRange: { namedRange: { namedRangeId: 'plan', name: 'Plan', range } } },
      { addProtectedRange: { protectedRange: { namedRangeId: 'plan', editors: { users: [OWNER] } } } },
    )
    expect(await check({ spreadsheet_id, sheet_name: 'T', start_cell: 'C2' })).toMatchObject({
      result: 'not_editor',
      code: 'named_range',
      detail: { names: ['Plan'], range: 'A1:Z2' },
    })
  })

  it('reports when the service is unavailable', async () => {
    const client = service.client({ google_drive_base_url: 'http://127.0.0.1:1' })
    expect(await checkPermission({ spreadsheet_id: '1'.repeat(44) }, freely(client))).toMatchObject({
      result: 'unreachable',
      code: 'spreadsheet_unavailable',
    })
  })
})

describe('the tabs to choose from', () => {
  it('leave out our own hidden ones', async () => {
    const id = await shared()
    await service.owner.batch(
      id,
      {
        addSheet: {
          properties: {
            sheetId: 3,
            title: '工作表',
            hidden: true,
            gridProperties: { rowCount: 5, columnCount: 2 },
          },
        },
      },
      { addSheet: { properties: { title: '__sheetcast_stage_1_1', hidden: true } } },
    )
    expect(await listTabs(id, effects())).toEqual([
      { title: 'T', sheet_id: 0, rows: 1000, columns: 26, hidden: false },
      { title: '工作表', sheet_id: 3, rows: 5, columns: 2, hidden: true },
    ])
  })
})

describe('proof of control', () => {
  it('is an address among the owners and editors of the file', async () => {
    const id = await shared()
    await service.owner.share(id, 'viewer@aurora.demo', 'reader')
    await service.owner.share(id, 'editor@aurora.demo')
    const permissions = (await readPermissions(id, effects())) ?? []
    expect(controlBy(permissions, ` ${OWNER.toUpperCase()} `)).toBe('owner')
    expect(controlBy(permissions, 'editor@aurora.demo')).toBe('writer')
    expect(controlBy(permissions, 'viewer@aurora.demo')).toBe(null)
    expect(controlBy(permissions, 'client-b@borealis.demo')).toBe(null)
    expect(ownersOf(permissions)).toEqual([OWNER])
    expect(writersOf(permissions)).toHaveLength(3)
  })

  it('treats a shared drive’s organisers like owners, and ignores groups, links and deleted accounts', () => {
    const entry = { id: '1', type: 'user', role: 'organizer', emailAddress: 'A@x.demo', deleted: false }
    expect(controlBy([entry], 'a@x.demo')).toBe('owner')
    expect(
      controlBy(
        [
          { ...entry, role: 'writer' },
          { ...entry, role: 'fileOrganizer' },
        ],
        'a@x.demo',
      ),
    ).toBe('owner')
    expect(controlBy([{ ...entry, type: 'group' }], 'a@x.demo')).toBe(null)
    expect(controlBy([{ ...entry, deleted: true }], 'a@x.demo')).toBe(null)
    expect(controlBy([{ ...entry, role: 'commenter' }], 'a@x.demo')).toBe(null)
    const link = { ...entry, id: 'anyoneWithLink', type: 'anyone', role: 'writer', emailAddress: '' }
    expect(controlBy([link], '')).toBe(null)
    expect(writersOf([link, { ...entry, role: 'reader' }])).toEqual(['anyoneWithLink'])
  })

  it('is not available for a file whose list is not visible', async () => {
    expect(await readPermissions(await service.owner.create(), effects())).toBe(null)
    expect(await readPermissions(await shared('reader'), effects())).toBe(null)
  })

  it('is a code in any cell of any tab, also a hidden one', async () => {
    const id = await shared()
    await service.owner.batch(id, { addSheet: { properties: { title: "It's", hidden: true } } })
    expect(await findCode(id, 'SC-48213', effects())).toBe(false)
    await service.owner.put(id, "'It''s'!Z900", [[' SC-48213 ']], 'RAW')
    expect(await findCode(id, 'SC-48213', effects())).toBe(true)
    expect(await findCode(id, 'SC-4821', effects())).toBe(false)
    await service.owner.put(id, "'T'!B7", [[48_213]])
    expect(await findCode(id, '48213', effects())).toBe(true)
  })
})
