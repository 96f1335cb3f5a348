import { describe, expect, it, onTestFinished } from 'vitest'
import { Gap, ReportList } from '#shared/api/reports.ts'
import { textOf } from '#server/http/testing/answers.ts'
import { expectRefusal, testApi } from '#server/http/testing/api.ts'
import { idsIn, ready as readyFor, reportIn, REPORTS, SHEET } from './testing/requests.ts'

const api = await testApi()
const PATH = REPORTS
const ready = (identity?: 'staff' | 'external_user') => readyFor(api, identity)

describe('making a report', () => {
  it('takes the defaults for what is left out', async () => {
    const { post, user } = await api.signedIn('external_user')
    const response = await post(PATH, {})
    expect(response.status).toBe(201)
    expect(reportIn(response)).toMatchObject({
      name: 'Unnamed report',
      owner: user.id,
      access: 'owner',
      version: 1,
      folder: null,
      start_cell: 'A1',
      timezone: 'Asia/Taipei',
      header_language: 'en',
      dimensions: ['date'],
      date_range: { start: null, end: null, dynamic_range: 1 },
      update_frequency: 0,
      update_time: '09:00:00',
      status: 0,
      task: null,
      gaps: ['page_not_set', 'permission_not_set', 'channels_not_set'],
      next_run_at: null,
      last_run: null,
    })
  })

  it('returns all that was sent, with the next run at its wall-clock time', async () => {
    const { post, body } = await ready()
    api.clock.now = new Date('2026-11-20T01:00:00Z')
    const report = reportIn(await post(PATH, body))
    expect(report).toMatchObject({ ...body, channels: [{ ...body.channels[0], label: null, filters: [] }] })
    expect(report).toMatchObject({ gaps: [], status: 1, next_run_at: '2026-11-21T01:00:00.000Z' })
  })

  it('stores the bare id of a spreadsheet as the address at which it opens, built-in or at Google', async () => {
    const { post, patch } = await api.signedIn('staff')
    const spreadsheet_url = 'x'.repeat(44)
    const path = `/spreadsheets/d/${spreadsheet_url}/edit`
    const google = reportIn(await post(PATH, { spreadsheet_url }))
    expect(google.spreadsheet_url).toBe(`https://docs.google.com${path}`)
    const { settings } = api.effects
    onTestFinished(() => void (api.effects.settings = settings))
    api.effects.settings = {
      ...settings,
      built_in_sheets: { sheets: 'http://sheets.test', drive: 'http://sheets.test' },
      spreadsheet_origins: [settings.public_url],
    }
    const builtIn = reportIn(await post(PATH, { spreadsheet_url }))
    expect(builtIn.spreadsheet_url).toBe(`${settings.public_url}${path}`)
    const { id, version } = builtIn
    const again = await patch(`${PATH}${id}/`, { version, spreadsheet_url, name: 'Named' })
    expect(reportIn(again)).toMatchObject({ spreadsheet_url: builtIn.spreadsheet_url, name: 'Named' })
    const { changes } = (
      await api.db
        .selectFrom('audit')
        .select('detail')
        .where('action', '=', 'report.change')
        .where('object_id', '=', String(id))
        .executeTakeFirstOrThrow()
    ).detail as { changes: object }
    expect(Object.keys(changes)).toEqual(['name'])
  })

  it('stores what its rows are sorted by and how many there are, for as long as the report has that column', async () => {
    const { report, post, patch, body } = await ready()
    const [metric = ''] = body.channels[0]?.metrics ?? []
    const sort = { by: metric, block: 0, descending: true }
    const { id, version } = await report({ ...body, sort, limit: 50 })
    const copy = reportIn(await post(`${PATH}${id}/copy/`, {}))
    expect(copy).toMatchObject({ sort, limit: 50 })
    const channels = [{ ...body.channels[0], metrics: ['reach'] }]
    const refused = await patch(`${PATH}${id}/`, { version, channels })
    expectRefusal(refused, 400, 'sort_not_in_report', { sort: ['sort_not_in_report'] })
    const changed = reportIn(await patch(`${PATH}${id}/`, { version, channels, sort: null }))
    expect(changed).toMatchObject({ sort: null, limit: 50 })
  })

  it('updates the searchable copy of its accounts', async () => {
    const { report, patch, body, account, advertiser } = await ready()
    const other = await api.account({ advertiser })
    const { id, version } = await report(body)
    const accounts = () =>
      api.db
        .selectFrom('report_account')
        .select(['block', 'ad_account'])
        .where('report', '=', id)
        .orderBy('block')
        .execute()
    expect(await accounts()).toEqual([{ block: 0, ad_account: account }])
    const [block] = body.channels
    const channels = [
      { ...block, accounts: [other] },
      { ...block, label: 'again' },
    ]
    expect((await patch(`${PATH}${id}/`, { version, channels })).status).toBe(200)
    expect(await accounts()).toEqual([
      { block: 0, ad_account: other },
      { block: 1, ad_account: account },
    ])
  })

  it('is refused for an account of another client exactly as for one that does not exist', async () => {
    const { post, body } = await ready('external_user')
    const { account } = await ready('external_user')
    const call = (id: number) => post(PATH, { ...body, channels: [{ ...body.channels[0], accounts: [id] }] })
    const [foreign, missing] = [await call(account), await call(999_999)]
    expectRefusal(foreign, 400, 'invalid', { 'channels.0.accounts': ['field_not_available'] })
    expect(textOf(foreign, [account])).toBe(textOf(missing, [999_999]))
  })

  it('is refused with the code of each invalid field', async () => {
    const { post, body } = await ready()
    const refused = async (changes: object, field: string, code: Parameters<typeof expectRefusal>[2]) =>
      expectRefusal(
        await post(PATH, { ...body, ...changes }),
        400,
        code.startsWith('field_') ? 'invalid' : code,
        {
          [field]: [code],
        },
      )
    for (const start_cell of ['A0', '1A', 'AAAA1', 'A10000001', 'A1:B2', '$A$1'])
      await refused({ start_cell }, 'start_cell', 'start_cell_format')
    await refused({ sheet_name: 'a:b' }, 'sheet_name', 'sheet_name_colon')
    for (const spreadsheet_url of [
      'https://evil.example/spreadsheets/d/1AbCdEfGhIjKlMnOpQrStUvWxYz',
      'hello',
    ])
      await refused({ spreadsheet_url }, 'spreadsheet_url', 'not_a_spreadsheet')
    await refused({ timezone: 'Mars/Olympus' }, 'timezone', 'field_invalid')
    await refused({ timezone: '+08:00' }, 'timezone', 'field_invalid')
    const fixed = (start: string, end: string) => ({ date_range: { start, end, dynamic_range: 0 } })
    await refused(fixed('2026-11-02', '2026-11-01'), 'date_range.end', 'field_invalid')
    await refused({ folder: 999_999 }, 'folder', 'field_not_available')
    await refused({ name: '' }, 'name', 'field_required')
    await refused({ name: 'x'.repeat(121) }, 'name', 'field_too_long')
    await refused({ update_time: '09:07:00' }, 'update_time', 'field_invalid')
    await refused({ owner: 1 }, 'owner', 'field_unknown')
    await refused(
      { channels: Array.from({ length: 11 }, () => body.channels[0]) },
      'channels',
      'too_many_channels',
    )
    await refused({ limit: 0 }, 'limit', 'field_invalid')
    await refused({ limit: 10_000_001 }, 'limit', 'field_invalid')
    await refused({ sort: { by: 'pageviews' } }, 'sort', 'sort_not_in_report')
    await refused({ sort: { by: 'keyword' } }, 'sort', 'sort_not_in_report')
    await refused({ sort: { by: 'date', order: 'asc' } }, 'sort.order', 'field_unknown')
  })

  it('may have gaps, and is then not scheduled', async () => {
    const { post, body } = await ready()
    const gaps = async (changes: object) => {
      const report = reportIn(await post(PATH, { ...body, ...changes }))
      expect(report).toMatchObject({ status: 0, next_run_at: null })
      return report.gaps
    }
    expect(await gaps({ start_cell: '' })).toEqual(['start_cell_not_set'])
    expect(await gaps({ sheet_name: '' })).toEqual(['page_not_set'])
    expect(await gaps({ spreadsheet_url: '' })).toEqual(['permission_not_set'])
    expect(await gaps({ channels: [] })).toEqual(['channels_not_set'])
    expect(await gaps({ channels: [{ ...body.channels[0], metrics: [] }] })).toEqual(['channels_not_set'])
  })

  it('keeps the days that the frequency needs and no others', async () => {
    const { post, body } = await ready()
    const days = async (update_frequency: number, chosen: object) => {
      const report = reportIn(await post(PATH, { ...body, update_frequency, ...chosen }))
      return [report.update_day_of_week, report.update_day_of_month]
    }
    const both = { update_day_of_week: 5, update_day_of_month: 31 }
    expect(await days(2, both)).toEqual([null, null])
    expect(await days(3, both)).toEqual([5, null])
    expect(await days(4, both)).toEqual([null, 31])
    expect(await days(3, {})).toEqual([1, null])
    expect(await days(4, {})).toEqual([null, 1])
  })
})

describe('a report that has ended', () => {
  const fixed = (start: string, end: string) => ({ date_range: { start, end, dynamic_range: 0 } })

  it('shows frequency 5 and status 3 from the fifteenth day after its range, and restarts with a later end', async () => {
    const { post, get, patch, body } = await ready()
    api.clock.now = new Date('2026-11-15T03:00:00Z')
    const { id, version } = reportIn(await post(PATH, { ...body, ...fixed('2026-10-01', '2026-11-01') }))
    expect(reportIn(await get(`${PATH}${id}/`))).toMatchObject({ status: 1, update_frequency: 2 })
    // The 16th begins in Taipei at 16:00 UTC.
    api.clock.now = new Date('2026-11-15T15:59:59Z')
    expect(reportIn(await get(`${PATH}${id}/`))).toMatchObject({ status: 1 })
    api.clock.now = new Date('2026-11-15T16:00:00Z')
    expect(reportIn(await get(`${PATH}${id}/`))).toMatchObject({
      status: 3,
      update_frequency: 5,
      chosen_frequency: 2,
      next_run_at: null,
    })
    expect(idsIn(await get(`${PATH}?status=3`))).toEqual([id])
    const again = reportIn(await patch(`${PATH}${id}/`, { version, ...fixed('2026-10-01', '2026-11-30') }))
    expect(again).toMatchObject({ status: 1, update_frequency: 2, next_run_at: '2026-11-16T01:00:00.000Z' })
  })
})

describe('changing a report', () => {
  const nameOf = async (id: number) =>
    (await api.db.selectFrom('users').select('full_name').where('id', '=', id).executeTakeFirstOrThrow())
      .full_name

  it('needs the version that was read, and responds 409 with the newer report otherwise', async () => {
    const { user, report, patch, get } = await api.signedIn('staff')
    const { id, version } = await report({ name: 'first' })
    const second = reportIn(await patch(`${PATH}${id}/`, { version, name: 'second' }))
    expect(second.version).toBe(version + 1)
    const late = await patch(`${PATH}${id}/`, { version, name: 'third' })
    expectRefusal(late, 409, 'conflict')
    expect(late.body).toMatchObject({
      report: { id, name: 'second', version: version + 1 },
      changed_by: await nameOf(user.id),
    })
    expect(reportIn(await get(`${PATH}${id}/`)).name).toBe('second')
  })

  it('lets one of many at the same time through', async () => {
    const { report, patch } = await api.signedIn('staff')
    const { id, version } = await report()
    const responses = await Promise.all(
      Array.from({ length: 16 }, (_, n) => patch(`${PATH}${id}/`, { version, name: `name ${n}` })),
    )
    expect(responses.map(response => response.status).toSorted()).toEqual([
      200,
      ...Array.from({ length: 15 }, () => 409),
    ])
  })

  it('resets the known state of the target when the spreadsheet is another one', async () => {
    const { report, patch, body } = await ready()
    const { id, version } = await report(body)
    const changed = reportIn(
      await patch(`${PATH}${id}/`, { version, spreadsheet_url: SHEET.replace('1AbC', '1XyZ') }),
    )
    expect(changed).toMatchObject({
      target_state: null,
      gaps: ['permission_not_set'],
      next_run_at: null,
      status: 0,
    })
  })

  it('keeps the next run of a one-time report, and does not restart it by a new name', async () => {
    const { report, patch, get, body } = await ready()
    const { id, version } = await report({ ...body, update_frequency: 1 })
    expect(reportIn(await patch(`${PATH}${id}/`, { version, name: 'b' }))).toMatchObject({ status: 1 })
    await api.db.updateTable('report').set({ next_run_at: null }).where('id', '=', id).execute()
    expect(reportIn(await get(`${PATH}${id}/`))).toMatchObject({ status: 3, update_frequency: 5 })
    expect(idsIn(await get(`${PATH}?status=3`))).toEqual([id])
    const renamed = reportIn(await patch(`${PATH}${id}/`, { version: version + 1, name: 'c' }))
    expect(renamed).toMatchObject({ status: 3, next_run_at: null })
  })

  it('lets a name be changed while an account is lost, but not the channels', async () => {
    const { report, patch, body, advertiser, user } = await ready()
    const { id, version } = await report(body)
    await api.db
      .deleteFrom('advertiser_member')
      .where('advertiser', '=', advertiser)
      .where('user_id', '=', user.id)
      .execute()
    expect((await patch(`${PATH}${id}/`, { version, name: 'mended' })).status).toBe(200)
    const channels = [{ ...body.channels[0], metrics: ['cost'] }]
    expectRefusal(await patch(`${PATH}${id}/`, { version: version + 1, channels }), 400, 'invalid', {
      'channels.0.accounts': ['field_not_available'],
    })
  })
})

describe('the list of reports', () => {
  it('has own reports by folder, and covers all of them when searching', async () => {
    const { get, folder, report } = await api.signedIn('staff')
    const { id: folderId } = await folder()
    const [outside, inside] = [
      await report({ name: 'Brand 100%' }),
      await report({ name: '品牌 brand', folder: folderId }),
    ]
    expect(idsIn(await get(`${PATH}?ordering=id`))).toEqual([outside.id, inside.id])
    expect(idsIn(await get(`${PATH}?folder=0`))).toEqual([outside.id])
    expect(idsIn(await get(`${PATH}?folder=${folderId}`))).toEqual([inside.id])
    expect(idsIn(await get(`${PATH}?folder=0&search=BRAND&ordering=-id`))).toEqual([inside.id, outside.id])
    expect(idsIn(await get(`${PATH}?search=${encodeURIComponent('品牌')}`))).toEqual([inside.id])
    expect(idsIn(await get(`${PATH}?search=${encodeURIComponent('0%')}`))).toEqual([outside.id])
    expect(idsIn(await get(`${PATH}?search=_`))).toEqual([])
  })

  it('is searched by a superuser for words of any length in everybody’s names, in any case', async () => {
    const { report } = await api.signedIn('staff')
    const { id } = await report({ name: 'ÉTÉ 星雲 Ω' })
    const superuser = await api.signedIn('superuser')
    for (const text of ['星', '星雲', ' 星雲 ', 'é', 'TÉ', 'ω', '雲 ω'])
      expect(
        idsIn(await superuser.get(`${PATH}?scope=all&search=${encodeURIComponent(text)}`)),
        text,
      ).toEqual([id])
    for (const text of ['雲星', '_', '%é', '"{'])
      expect(
        idsIn(await superuser.get(`${PATH}?scope=all&search=${encodeURIComponent(text)}`)),
        text,
      ).toEqual([])
  })

  it('comes in pages with the paths of the pages before and after', async () => {
    const { get, report } = await api.signedIn('staff')
    const ids: number[] = []
    for (let n = 0; n < 12; n += 1) ids.push((await report({ name: `R${n}` })).id)
    const first = ReportList.parse((await get(`${PATH}?ordering=id`)).body)
    expect(first).toMatchObject({ count: 12, previous: null })
    expect(first.results.map(({ id }) => id)).toEqual(ids.slice(0, 10))
    const second = ReportList.parse((await get(first.next ?? '')).body)
    expect(second).toMatchObject({ count: 12, next: null })
    expect(second.results.map(({ id }) => id)).toEqual(ids.slice(10))
    expect(idsIn(await get(second.previous ?? ''))).toEqual(ids.slice(0, 10))
    expect(ReportList.parse((await get(`${PATH}?offset=500`)).body)).toMatchObject({ count: 12, results: [] })
  })

  it('refuses filters and orderings that do not exist', async () => {
    const { get } = await api.signedIn('staff')
    expectRefusal(await get(`${PATH}?ordering=spreadsheet_url`), 400, 'invalid', {
      ordering: ['field_invalid'],
    })
    expectRefusal(await get(`${PATH}?owner=1`), 400, 'invalid', { owner: ['field_unknown'] })
    expectRefusal(await get(`${PATH}?limit=101`), 400, 'invalid', { limit: ['field_invalid'] })
    expectRefusal(await get(`${PATH}?status=9`), 400, 'invalid', { status: ['field_invalid'] })
    expectRefusal(await get(`${PATH}?scope=all`), 403, 'forbidden')
  })

  it('filters by status, gap and channel as each report itself has them', async () => {
    api.clock.now = new Date('2026-11-20T03:00:00Z')
    const { get, report, patch, body } = await ready()
    const variants = [
      {},
      { update_frequency: 0 },
      { update_frequency: 1 },
      { sheet_name: '' },
      { start_cell: '', channels: [] },
      { channels: [{ ...body.channels[0], accounts: [] }] },
      { spreadsheet_url: '' },
      {
        timezone: 'Pacific/Kiritimati',
        date_range: { start: '2026-10-01', end: '2026-11-05', dynamic_range: 0 },
      },
      {
        timezone: 'Pacific/Pago_Pago',
        date_range: { start: '2026-10-01', end: '2026-11-05', dynamic_range: 0 },
      },
      { date_range: { start: '2026-10-01', end: '2026-11-04', dynamic_range: 0 } },
    ]
    for (const variant of variants) await report({ ...body, ...variant })
    const { id, version } = await report({ ...body, update_frequency: 1 })
    await api.db.updateTable('report').set({ next_run_at: null }).where('id', '=', id).execute()
    await patch(`${PATH}${id}/`, { version, name: 'ran once' })
    const { results } = ReportList.parse((await get(`${PATH}?limit=100&ordering=id`)).body)
    expect(new Set(results.map(({ status }) => status))).toEqual(new Set([0, 1, 3]))
    for (const status of [0, 1, 2, 3])
      expect(idsIn(await get(`${PATH}?limit=100&ordering=id&status=${status}`)), `status ${status}`).toEqual(
        results.filter(one => one.status === status).map(one => one.id),
      )
    for (const gap of Gap.options)
      expect(idsIn(await get(`${PATH}?limit=100&ordering=id&gap=${gap}`)), gap).toEqual(
        results.filter(one => one.gaps.includes(gap)).map(one => one.id),
      )
    expect(idsIn(await get(`${PATH}?limit=100&ordering=id&channel=fb`))).toEqual(
      results.filter(one => one.channels.length > 0).map(one => one.id),
    )
  })

  it('is ordered by the names of the owners as they are shown', async () => {
    const [anna, bert] = [
      await api.signedIn('staff', { full_name: 'anna' }),
      await api.signedIn('staff', { full_name: 'Bert' }),
    ]
    const [first, second] = [await bert.report(), await anna.report()]
    const share = { report: second.id, user_id: bert.user.id, access: 'viewer', shared_by: null } as const
    await api.db.insertInto('report_share').values(share).execute()
    expect(idsIn(await bert.get(`${PATH}?ordering=owner_name`))).toEqual([second.id, first.id])
    expect(idsIn(await bert.get(`${PATH}?ordering=-owner_name`))).toEqual([first.id, second.id])
  })

  it('shows a superuser everybody’s only on request', async () => {
    const owner = await api.signedIn('external_user')
    const { id } = await owner.report()
    const superuser = await api.signedIn('superuser')
    expect(idsIn(await superuser.get(PATH))).toEqual([])
    expect(idsIn(await superuser.get(`${PATH}?scope=all&limit=100&ordering=-id`))).toContain(id)
    expect(reportIn(await superuser.get(`${PATH}${id}/`))).toMatchObject({
      access: 'superuser',
      folder: null,
    })
  })
})

describe('deleting a report', () => {
  it('keeps it for thirty days, in which it can be restored, to its folder if that still exists', async () => {
    const { report, get, post, delete: remove, folder, body } = await ready()
    const { id: folderId } = await folder()
    const { id } = await report({ ...body, folder: folderId })
    expect(await remove(`${PATH}${id}/`)).toMatchObject({ status: 200, body: { id } })
    expectRefusal(await get(`${PATH}${id}/`), 404, 'not_found')
    expectRefusal(await remove(`${PATH}${id}/`), 404, 'not_found')
    expect(idsIn(await get(PATH))).toEqual([])
    expect(idsIn(await get(`${PATH}?deleted=true`))).toEqual([id])
    expect(reportIn(await post(`${PATH}${id}/restore/`))).toMatchObject({ id, folder: folderId, status: 1 })
    await remove(`${PATH}${id}/`)
    await remove(`/api/gs-template-folder/${folderId}/`)
    expect(reportIn(await post(`${PATH}${id}/restore/`))).toMatchObject({ folder: null })
  })
})
