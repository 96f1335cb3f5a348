import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ReportVersion, ReportVersionSettings } from '#shared/api/report-versions.ts'
import { limits } from '#shared/limits.ts'
import { expectRefusal, testApi, type ApiResponse, type Client } from '#server/http/testing/api.ts'
import { ready as readyFor, reportIn, REPORTS, SHEET } from './testing/requests.ts'

const api = await testApi()
const ready = (identity?: 'staff' | 'external_user') => readyFor(api, identity)

const versionsIn = (response: ApiResponse) => z.array(ReportVersion).parse(response.body)
const versionsOf = async (who: Pick<Client, 'get'>, id: number) =>
  versionsIn(await who.get(`${REPORTS}${id}/versions/`))
const settingsOf = async (who: Pick<Client, 'get'>, id: number, version: number) =>
  ReportVersionSettings.parse((await who.get(`${REPORTS}${id}/versions/${version}/`)).body)
const restorePath = (id: number, version: number) => `${REPORTS}${id}/versions/${version}/restore/`

/** Shared with somebody of the same client. */
async function shared(access: 'viewer' | 'editor') {
  const owner = await ready('external_user')
  const other = await api.signedIn('external_user')
  const member = { advertiser: owner.advertiser, user_id: other.user.id }
  await api.db.insertInto('advertiser_member').values(member).execute()
  const { id, version } = await owner.report(owner.body)
  await owner.post(`${REPORTS}${id}/share/`, { user: other.user.id, access })
  return { owner, other, id, version }
}

describe('the versions of a report', () => {
  it('are its saves, each with who has made it and which parts it has changed', async () => {
    const { report, patch, body, user, ...me } = await ready()
    const { id, version } = await report(body)
    const [block] = body.channels
    const channels = [
      { ...block, metrics: ['cost'], filters: [{ field: 'campaign_name', rule: 'CONTAINS', values: ['x'] }] },
      { ...block, label: 'Again' },
    ]
    await patch(`${REPORTS}${id}/`, { version, channels, limit: 50 })
    await patch(`${REPORTS}${id}/`, { version: version + 1, update_time: '10:15:00', name: 'New' })
    const versions = await versionsOf(me, id)
    expect(versions.map(each => [each.version, each.changed])).toEqual([
      [3, ['name', 'schedule']],
      [2, ['channels_added', 'metrics', 'filters', 'sort']],
      [1, []],
    ])
    expect(versions.map(({ is_current }) => is_current)).toEqual([true, false, false])
    expect(versions.every(({ author_name }) => author_name === user.username)).toBe(true)
    expect((await settingsOf(me, id, 1)).settings).toMatchObject({ ...body, channels: [block], limit: null })
  })

  it('are not added by a save that changes nothing, nor by a move', async () => {
    const { report, patch, folder, body, ...me } = await ready()
    const { id, version } = await report(body)
    await patch(`${REPORTS}${id}/`, { version, name: body.name })
    await patch(`${REPORTS}${id}/`, { version: version + 1, folder: (await folder()).id })
    const [only, ...others] = await versionsOf(me, id)
    expect([only?.version, only?.is_current, others]).toEqual([1, true, []])
  })

  it('begin with the state that a report from before has, and are at most fifty', async () => {
    const { report, patch, body, ...me } = await ready()
    const { id, version } = await report(body)
    await api.db.deleteFrom('report_version').where('report', '=', id).execute()
    const [before, ...none] = await versionsOf(me, id)
    expect(before).toMatchObject({ version, author_name: null, is_current: true })
    expect(none).toEqual([])
    for (let at = 0; at < limits.versions + 2; at++)
      await patch(`${REPORTS}${id}/`, { version: version + at, name: `Name ${at}` })
    const versions = await versionsOf(me, id)
    expect(versions.map(each => each.version)).toEqual(
      Array.from({ length: limits.versions }, (_, at) => version + limits.versions + 2 - at),
    )
    expectRefusal(await me.get(`${REPORTS}${id}/versions/${version}/`), 404, 'not_found')
  })

  it('from before reports had a currency, a comparison, a note and blends have none of them', async () => {
    const { report, patch, body, ...me } = await ready()
    const { id, version } = await report(body)
    await api.db
      .updateTable('report_version')
      .set({ settings: sql`settings - '{currency,comparison,note,blends}'::text[]` })
      .where('report', '=', id)
      .execute()
    await patch(`${REPORTS}${id}/`, { version, note: true })
    expect((await versionsOf(me, id)).map(({ changed }) => changed)).toEqual([['note'], []])
    const { settings } = await settingsOf(me, id, version)
    expect(settings).toMatchObject({ currency: null, comparison: null, note: false, blends: [] })
    expect((await me.post(restorePath(id, version), { version: version + 1 })).status).toBe(200)
  })

  it('end with the report', async () => {
    const { report, body, ...me } = await ready()
    const { id } = await report(body)
    await me.delete(`${REPORTS}${id}/`)
    expectRefusal(await me.get(`${REPORTS}${id}/versions/`), 404, 'not_found')
    await api.db.deleteFrom('report').where('id', '=', id).execute()
    const left = await api.db.selectFrom('report_version').selectAll().where('report', '=', id).execute()
    expect(left).toEqual([])
  })
})

describe('restoring a version', () => {
  it('is a change like any other, and a version of its own', async () => {
    const { report, patch, post, body, ...me } = await ready()
    const { id, version } = await report(body)
    const changed = reportIn(
      await patch(`${REPORTS}${id}/`, { version, name: 'New', dimensions: ['date'], start_cell: 'D9' }),
    )
    const refused = await post(restorePath(id, 1), { version })
    expectRefusal(refused, 409, 'conflict')
    const restored = reportIn(await post(restorePath(id, 1), { version: changed.version }))
    expect(restored).toMatchObject({ ...body, channels: [body.channels[0]], version: 3 })
    expect((await versionsOf(me, id))[0]).toMatchObject({
      version: 3,
      restores: 1,
      changed: ['name', 'dimensions', 'start_cell'],
      is_current: true,
    })
    expectRefusal(await post(restorePath(id, 99), { version: 3 }), 404, 'not_found')
  })

  it('follows the rules of saving: nobody brings back an account that the owner has lost', async () => {
    const { report, patch, post, body, advertiser, account } = await ready('external_user')
    const other = await api.account({ advertiser })
    const { id, version } = await report(body)
    const channels = [{ ...body.channels[0], accounts: [other] }]
    const changed = reportIn(await patch(`${REPORTS}${id}/`, { version, channels }))
    const elsewhere = await api.advertiser('Elsewhere', [])
    await api.db.updateTable('ad_account').set({ advertiser: elsewhere }).where('id', '=', account).execute()
    expectRefusal(await post(restorePath(id, 1), { version: changed.version }), 404, 'not_found')
    const boss = await api.signedIn('superuser')
    const refused = await boss.post(restorePath(id, 1), { version: changed.version })
    expectRefusal(refused, 400, 'invalid', { 'channels.0.accounts': ['field_not_available'] })
  })

  it('is for those who may change the report', async () => {
    const viewer = await shared('viewer')
    const body = { version: viewer.version }
    expectRefusal(await viewer.other.post(restorePath(viewer.id, 1), body), 403, 'forbidden')
    const editor = await shared('editor')
    await editor.owner.patch(`${REPORTS}${editor.id}/`, { version: editor.version, name: 'New' })
    const restored = reportIn(await editor.other.post(restorePath(editor.id, 1), { version: 2 }))
    expect(restored.name).toBe('Acme daily')
  })
})

describe('a version about what somebody may not see', () => {
  it('does not exist for them, be it an account of another client or one that has moved', async () => {
    const { owner, other, id, version } = await shared('editor')
    const second = await api.advertiser(`Second of ${owner.user.username}`, [owner.user.id])
    const account = await api.account({ advertiser: second })
    const [block] = owner.body.channels
    const filters = [{ field: 'campaign_name', rule: 'CONTAINS', values: ['secret launch'] }]
    const channels = [{ ...block, accounts: [account], label: 'Second client', filters }]
    await owner.patch(`${REPORTS}${id}/`, { version, channels })
    await owner.patch(`${REPORTS}${id}/`, { version: version + 1, channels: [block] })
    // The second account has ended the sharing; it is shared anew.
    await owner.post(`${REPORTS}${id}/share/`, { user: other.user.id, access: 'editor' })
    expect((await versionsOf(owner, id)).map(each => each.version)).toEqual([3, 2, 1])
    const response = await other.get(`${REPORTS}${id}/versions/`)
    expect(versionsIn(response).map(each => each.version)).toEqual([3, 1])
    expect(JSON.stringify(response.body)).not.toMatch(/secret|Second/)
    const hidden = await other.get(`${REPORTS}${id}/versions/2/`)
    const missing = await other.get(`${REPORTS}${id}/versions/77/`)
    expectRefusal(hidden, 404, 'not_found')
    expectRefusal(missing, 404, 'not_found')
    expectRefusal(await other.post(restorePath(id, 2), { version: version + 2 }), 404, 'not_found')
  })

  it('hides a spreadsheet that they do not control and that the report has left, and does not bring it back', async () => {
    const { owner, other, id, version } = await shared('editor')
    const address = SHEET.replace('0123456789', 'private000')
    const body = { version, spreadsheet_url: address, sheet_name: 'Private tab' }
    const away = reportIn(await owner.patch(`${REPORTS}${id}/`, body))
    const back = { version: away.version, spreadsheet_url: owner.body.spreadsheet_url, sheet_name: 'Data' }
    const { version: current } = reportIn(await owner.patch(`${REPORTS}${id}/`, back))
    const found = await settingsOf(other, id, 2)
    expect(found).toMatchObject({ is_target_hidden: true, settings: { spreadsheet_url: '', sheet_name: '' } })
    expect((await settingsOf(other, id, 1)).is_target_hidden).toBe(false)
    const restored = reportIn(await other.post(restorePath(id, 2), { version: current }))
    expect(restored).toMatchObject({ spreadsheet_url: owner.body.spreadsheet_url, sheet_name: 'Data' })
  })
})
