import { describe, expect, it } from 'vitest'
import { TargetSheet } from '#shared/api/targets.ts'
import { Tab } from '#shared/api/spreadsheets.ts'
import { spreadsheetEffects } from '#server/resources/spreadsheets/effects.ts'
import { urlOf } from '#server/resources/spreadsheets/testing/permission.ts'
import { expectRefusal, testApi, type ApiResponse, type Client } from '#server/http/testing/api.ts'
import { OWNER } from '#server/sheets/testing/sandbox.ts'
import { testService } from '#server/sheets/testing/service.ts'

const service = await testService()
const api = await testApi()
/** The state is reset after each test. */
const forget = () => {
  api.effects.spreadsheets = spreadsheetEffects(service.seeking())
}
forget()

const read = (who: Client, id: string, more: Record<string, string> = {}) =>
  who.get(
    `/api/ad/gs_place/?${new URLSearchParams({ spreadsheet_url: urlOf(id), sheet_name: 'T', start_cell: 'A1', ...more })}`,
  )
const found = (response: ApiResponse) => {
  expect(response.status, JSON.stringify(response.body)).toBe(200)
  return TargetSheet.parse(response.body)
}

/** The advertiser that owns the file. */
const client = () => api.client({ email: OWNER, email_confirmed: true })

/** A file with a tab "T" that is proven to be this person's. */
async function file(who: { advertiser: number; user: { id: number } } | null, tab: object = {}) {
  const id = await service.owner.create({ gridProperties: { rowCount: 60, columnCount: 12 }, ...tab })
  await service.owner.share(id, service.system_user)
  if (who)
    await api.db
      .insertInto('spreadsheet_binding')
      .values({ spreadsheet_id: id, advertiser: who.advertiser, proof: 'permission', proven_by: who.user.id })
      .execute()
  return id
}

const describeReport = (id: string, more: object = {}) => ({
  spreadsheet_url: urlOf(id),
  sheet_name: 'T',
  start_cell: 'B3',
  dimensions: ['date'],
  channels: [{ channel: 'fb', accounts: [], metrics: ['impressions', 'cost'] }],
  date_range: { start: '2026-11-01', end: '2026-11-10', dynamic_range: 0 },
  ...more,
})

async function wrote(report: number, spreadsheet_id: string, rect: [number, number, number, number]) {
  const { owner } = await api.db
    .selectFrom('report')
    .select('owner')
    .where('id', '=', report)
    .executeTakeFirstOrThrow()
  await api.db
    .insertInto('run')
    .values({
      id: crypto.randomUUID(),
      report,
      owner,
      trigger: 'click',
      status: 'completed',
      finished_at: new Date(),
      written: JSON.stringify({ spreadsheet_id, sheet_id: 0, rect, head: '', fmt: '' }),
    })
    .execute()
}

describe('a target', () => {
  it('returns the filled cells and the size of the spreadsheet, with two requests', async () => {
    const who = await client()
    const id = await file(who)
    await service.owner.put(id, "'T'!E2", [
      ['mine', ''],
      ['', 7],
    ])
    await service.owner.batch(
      id,
      {
        addNamedRange: {
          namedRange: {
            name: 'Spend',
            range: { sheetId: 0, startRowIndex: 1, endRowIndex: 3, startColumnIndex: 0, endColumnIndex: 2 },
          },
        },
      },
      {
        addProtectedRange: {
          protectedRange: {
            range: { sheetId: 0, startRowIndex: 9, endRowIndex: 11 },
            description: 'Head office',
            editors: { users: [OWNER] },
          },
        },
      },
      {
        addProtectedRange: {
          protectedRange: { range: { sheetId: 0, startRowIndex: 20 }, warningOnly: true },
        },
      },
      {
        addSheet: {
          properties: { sheetId: 5, title: 'Other', gridProperties: { rowCount: 5000, columnCount: 40 } },
        },
      },
    )
    await service.owner.put(id, "'Other'!C2", [['x']])
    service.takeRequests()
    const content = found(await read(who, id))
    expect(service.takeRequests().filter(request => request.includes('/v4/'))).toHaveLength(2)
    expect(content).toMatchObject({
      sheet_id: 0,
      rows: 60,
      columns: 12,
      own: null,
      tables: [],
      named_ranges: [{ name: 'Spend', rect: [1, 0, 3, 2] }],
      protected_ranges: [{ description: 'Head office', named_range: null, rect: [9, 0, 11, 12] }],
      looked_at: [0, 0, 60, 12],
      content: [
        [1, 4, 2, 5],
        [2, 5, 3, 6],
      ],
    })
    expect(content.tabs).toEqual([
      { sheet_id: 0, title: 'T', rows: 60, columns: 12, used_columns: null },
      { sheet_id: 5, title: 'Other', rows: 5000, columns: 40, used_columns: 3 },
    ])
    // Nothing of the content of a cell.
    expect(JSON.stringify(content)).not.toContain('mine')
    found(await read(who, id))
    expect(service.takeRequests()).toEqual([])
  })

  it('reads around the start cell where that is far from the beginning', async () => {
    const who = await client()
    const id = await file(who, { gridProperties: { rowCount: 5000, columnCount: 12 } })
    await service.owner.put(id, "'T'!A4000", [['far']])
    const content = found(await read(who, id, { start_cell: 'A3990' }))
    expect(content.looked_at[0]).toBeLessThan(3990)
    expect(content.content).toEqual([[3999, 0, 4000, 1]])
  })

  it('returns the tables of other reports, with names only for visible ones, and the future places of those of them that have not run', async () => {
    const [who, colleague] = [await client(), await client()]
    const id = await file(who)
    await api.db
      .insertInto('advertiser_member')
      .values({ advertiser: who.advertiser, user_id: colleague.user.id })
      .execute()
    const mine = await who.report(describeReport(id, { name: 'Mine' }))
    const visible = await who.report(describeReport(id, { name: 'Seen', start_cell: 'H1' }))
    const hidden = await colleague.report(describeReport(id, { name: 'Hidden', start_cell: 'B20' }))
    await wrote(mine.id, id, [2, 1, 13, 4])
    await wrote(visible.id, id, [0, 7, 9, 10])
    const content = found(await read(who, id, { report: String(mine.id) }))
    expect(content.own).toEqual([2, 1, 13, 4])
    expect(content.tables).toEqual([
      { sheet_id: 0, rect: [0, 7, 9, 10], kind: 'written', report: { id: visible.id, name: 'Seen' } },
    ])
    expect(JSON.stringify(content)).not.toContain('Hidden')
    // Written tables can be seen in the file anyway.
    await wrote(hidden.id, id, [19, 1, 30, 4])
    expect(found(await read(who, id, { report: String(mine.id) })).tables.at(-1)).toEqual({
      sheet_id: 0,
      rect: [19, 1, 30, 4],
      kind: 'written',
      report: null,
    })
    // One that is to move is at both places until it has.
    await who.patch(`/api/gs-template-setting/${visible.id}/`, {
      version: visible.version,
      start_cell: 'A40',
    })
    expect(
      found(await read(who, id, { report: String(mine.id) })).tables.map(({ kind, rect }) => [kind, ...rect]),
    ).toEqual([
      ['written', 0, 7, 9, 10],
      ['planned', 39, 0, 50, 3],
      ['written', 19, 1, 30, 4],
    ])
  })

  it('returns nothing of a file that is not proven, and sends no request for it', async () => {
    const [who, outsider] = [await client(), await client()]
    const [theirs, unproven] = [await file(who), await file(null)]
    service.takeRequests()
    const responses = [
      await read(outsider, theirs),
      await read(outsider, unproven),
      await read(outsider, 'x'.repeat(44)),
    ]
    for (const response of responses) expectRefusal(response, 400, 'spreadsheet_not_shared')
    expect(service.takeRequests()).toEqual([])
    expect(await read(outsider, 'nonsense')).toMatchObject({
      status: 400,
      body: { code: 'not_a_spreadsheet' },
    })
  })

  it('refuses a tab that is gone, and an invisible report', async () => {
    const [who, outsider] = [await client(), await client()]
    const id = await file(who)
    expectRefusal(await read(who, id, { sheet_name: 'gone' }), 400, 'sheet_name_mismatch')
    const theirs = await outsider.report()
    expectRefusal(await read(who, id, { report: String(theirs.id) }), 404, 'not_found')
    expectRefusal(await read(who, id, { report: '999999' }), 404, 'not_found')
  })
})

describe('a new tab', () => {
  const add = (who: Client, id: string, title: string) =>
    who.post('/api/ad/gs_sheet/', { spreadsheet_url: urlOf(id), title })

  it('is after the others, small, and recorded', async () => {
    const who = await client()
    const id = await file(who)
    const response = await add(who, id, ' 每日成效 ')
    expect(response.status).toBe(201)
    const tab = Tab.parse(response.body)
    expect(tab).toMatchObject({ title: '每日成效', rows: 200, columns: 26, hidden: false })
    const { body } = await who.get(
      `/api/ad/gs_sheet_name_list/?spreadsheet_url=${encodeURIComponent(urlOf(id))}`,
    )
    expect(body).toMatchObject([{ title: 'T' }, { title: '每日成效', sheet_id: tab.sheet_id }])
    const entries = await api.db
      .selectFrom('audit')
      .selectAll()
      .where('action', '=', 'spreadsheet.add_tab')
      .execute()
    expect(entries).toMatchObject([{ actor: who.user.id, object_id: id, detail: { title: '每日成效' } }])
  })

  it('is refused where it is not allowed, with the field', async () => {
    const [who, outsider] = [await client(), await client()]
    const id = await file(who)
    expectRefusal(await add(who, id, 'a:b'), 400, 'invalid', { title: ['sheet_name_colon'] })
    expectRefusal(await add(who, id, 't'), 400, 'invalid', { title: ['name_taken'] })
    expectRefusal(await add(who, id, ''), 400, 'invalid', { title: ['field_required'] })
    expectRefusal(await add(outsider, id, 'X'), 400, 'spreadsheet_not_shared')
    expectRefusal(await add(who, 'nonsense', 'X'), 400, 'not_a_spreadsheet')
  })

  it('is created once, even when the response is lost', async () => {
    const who = await client()
    const id = await file(who)
    service.arm(1, { action: 'drop_after_commit' })
    const response = await add(who, id, 'Once')
    expect(service.isArmed()).toBe(false)
    expect(response.status).toBe(201)
    const { body } = await who.get(
      `/api/ad/gs_sheet_name_list/?spreadsheet_url=${encodeURIComponent(urlOf(id))}`,
    )
    expect(body).toHaveLength(2)
  })
})

describe('a tab that was renamed', () => {
  it('is named by the permission check, to people who wrote there', async () => {
    const who = await client()
    const id = await file(who)
    await service.owner.batch(id, {
      updateSheetProperties: { properties: { sheetId: 0, title: 'New name' }, fields: 'title' },
    })
    const check = (more: object) =>
      who.get(
        `/api/ad/gs_permission_check/?${new URLSearchParams({ spreadsheet_url: urlOf(id), sheet_name: 'T', ...more })}`,
      )
    expect((await check({ sheet_id: '0' })).body).toMatchObject({
      result: 'sheet_name_mismatch',
      new_name: 'New name',
    })
    expect((await check({})).body).not.toHaveProperty('new_name')
    const outsider = await client()
    const query = new URLSearchParams({ spreadsheet_url: urlOf(id), sheet_name: 'T', sheet_id: '0' })
    expect(JSON.stringify((await outsider.get(`/api/ad/gs_permission_check/?${query}`)).body)).not.toContain(
      'New name',
    )
  })

  it('and a protected start cell is distinguished from a file that may only be read', async () => {
    const who = await client()
    const id = await file(who)
    const range = { sheetId: 0, startRowIndex: 0, endRowIndex: 2 }
    await service.owner.batch(id, {
      addProtectedRange: { protectedRange: { range, editors: { users: [OWNER] } } },
    })
    const query = new URLSearchParams({ spreadsheet_url: urlOf(id), sheet_name: 'T', start_cell: 'A1' })
    expect((await who.get(`/api/ad/gs_permission_check/?${query}`)).body).toMatchObject({
      result: 'not_editor',
      protected_range: 'A1:L2',
    })
  })
})
