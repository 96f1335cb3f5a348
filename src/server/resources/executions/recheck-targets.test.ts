import { describe, expect, it } from 'vitest'
import { Execution } from '#shared/api/executions.ts'
import { expectRefusal, testApi, type Client } from '#server/http/testing/api.ts'
import { spreadsheetEffects } from '#server/resources/spreadsheets/effects.ts'
import { urlOf } from '#server/resources/spreadsheets/testing/permission.ts'
import { OWNER } from '#server/sheets/testing/sandbox.ts'
import { testService } from '#server/sheets/testing/service.ts'

const service = await testService()
const api = await testApi()
api.effects.spreadsheets = spreadsheetEffects(service.seeking())
const { db } = api

const PATH = '/api/gs-template-execution/'
/** The advertiser that owns the files. */
const client = () => api.client({ email: OWNER, email_confirmed: true })
const stateOf = async (report: number) =>
  (await db.selectFrom('report').select('target_state').where('id', '=', report).executeTakeFirstOrThrow())
    .target_state
const checks = () => service.takeRequests().filter(request => request.includes('/v4/')).length

/** A complete report whose file was not shared with the system user at its last check. */
async function unshared(owner: Client & { advertiser: number }, file?: string) {
  const spreadsheet_id = file ?? (await service.owner.create({}))
  const account = await api.account({ advertiser: owner.advertiser })
  const { id } = await owner.report({
    spreadsheet_url: urlOf(spreadsheet_id),
    sheet_name: 'T',
    channels: [{ channel: 'fb', accounts: [account], metrics: ['cost'] }],
  })
  await db.updateTable('report').set({ target_state: 'not_shared' }).where('id', '=', id).execute()
  return { id, spreadsheet_id }
}
const share = (report: number, who: Client) =>
  db
    .insertInto('report_share')
    .values({ report, user_id: who.user.id, access: 'viewer', shared_by: null, folder: null })
    .execute()
const gapsIn = (body: unknown) => (body as { gaps?: unknown }).gaps

describe('a click on a report whose file was not shared', () => {
  it('checks the file again, and runs once it is', async () => {
    const owner = await client()
    const { id, spreadsheet_id } = await unshared(owner)
    const refused = await owner.post(PATH, { reports: [id] })
    expectRefusal(refused, 400, 'report_has_gaps')
    expect(gapsIn(refused.body)).toEqual(['permission_not_set'])
    await service.owner.share(spreadsheet_id, service.system_user)
    expect((await owner.post(PATH, { reports: [id] })).status).toBe(201)
    expect(await stateOf(id)).toBe('ok')
  })

  it('checks each file once, starts what is shared by now, and skips the others', async () => {
    const owner = await client()
    const [one, other] = [await unshared(owner), await unshared(owner)]
    const same = await unshared(owner, one.spreadsheet_id)
    const incomplete = await owner.report({ spreadsheet_url: urlOf(other.spreadsheet_id) })
    await service.owner.share(one.spreadsheet_id, service.system_user)
    service.takeRequests()
    const response = await owner.post(PATH, { reports: [one.id, other.id, same.id, incomplete.id] })
    const { reports, skipped } = Execution.parse(response.body)
    expect(reports.map(({ report }) => report)).toEqual([one.id, same.id])
    expect(skipped.map(({ report, gaps }) => [report, ...gaps])).toEqual([
      [other.id, 'permission_not_set'],
      [incomplete.id, 'page_not_set', 'permission_not_set', 'channels_not_set'],
    ])
    const sent = checks()
    await owner.post(PATH, { reports: [one.id, same.id] })
    expect(checks()).toBe(0)
    expect(sent).toBeGreaterThan(0)
  })

  it('needs the file to be the owner’s as well as the asking person’s', async () => {
    const [owner, viewer, colleague] = [await client(), await api.client(), await client()]
    const { id, spreadsheet_id } = await unshared(owner)
    await service.owner.share(spreadsheet_id, service.system_user)
    for (const who of [viewer, colleague]) {
      await share(id, who)
      expectRefusal(await who.post(PATH, { reports: [id] }), 400, 'report_has_gaps')
      expect(await stateOf(id)).toBe('not_shared')
    }
    await db
      .insertInto('advertiser_member')
      .values({ advertiser: owner.advertiser, user_id: colleague.user.id })
      .execute()
    await db
      .updateTable('spreadsheet_binding')
      .set({ advertiser: owner.advertiser })
      .where('spreadsheet_id', '=', spreadsheet_id)
      .execute()
    expect((await colleague.post(PATH, { reports: [id] })).status).toBe(201)
    expect(await stateOf(id)).toBe('ok')
  })

  it('is no failure when the file cannot be checked', async () => {
    const owner = await client()
    const { id, spreadsheet_id } = await unshared(owner)
    await service.owner.share(spreadsheet_id, service.system_user)
    const { spreadsheets } = api.effects
    const findSystemUser = () => Promise.reject(new Error('unexpected'))
    api.effects.spreadsheets = { ...spreadsheets, findSystemUser }
    expectRefusal(await owner.post(PATH, { reports: [id] }), 400, 'report_has_gaps')
    api.effects.spreadsheets = spreadsheets
    expect((await owner.post(PATH, { reports: [id] })).status).toBe(201)
  })
})

describe('a retry of a report whose file was not shared', () => {
  it('checks the file again', async () => {
    const owner = await client()
    const { id, spreadsheet_id } = await unshared(owner)
    await service.owner.share(spreadsheet_id, service.system_user)
    const first = Execution.parse((await owner.post(PATH, { reports: [id] })).body).reports[0]?.run ?? ''
    await db
      .updateTable('run')
      .set({ status: 'error', finished_at: new Date() })
      .where('id', '=', first)
      .execute()
    await db.updateTable('report').set({ target_state: 'not_editor' }).where('id', '=', id).execute()
    expect((await owner.post(`/api/gs-template-setting/${id}/runs/${first}/retry/`)).status).toBe(201)
  })
})
