import { describe, expect, it } from 'vitest'
import type { NotificationList } from '#shared/api/notifications.ts'
import { noticeKinds } from '#shared/notices.ts'
import { expectRefusal, testApi, type ApiResponse, type Client } from '#server/http/testing/api.ts'
import { cleanUp } from '#server/cleanup.ts'
import { insertNotices, type NewNotice } from './queries.ts'

const api = await testApi()
const { db, clock } = api
const PATH = '/api/notifications/'
const DAY_MS = 24 * 3600_000

const notify = (client: Client, notice: Partial<NewNotice> = {}, at = clock.now) =>
  insertNotices(
    db,
    [{ user_id: client.user.id, kind: 'report_failed', code: 'channel_no_data', ...notice }],
    at,
  )
const listOf = (response: ApiResponse) => response.body as NotificationList
const noticesOf = async (client: Client, query = '') => listOf(await client.get(PATH + query))

describe('notifications', () => {
  it('are one’s own, newest first, with how many are unread', async () => {
    const [owner, other] = [await api.signedIn('external_user'), await api.signedIn('external_user')]
    const report = await owner.report({ name: 'Acme daily' })
    await notify(owner, { report: report.id })
    await notify(owner, { kind: 'report_recovered', report: report.id, code: null })
    await notify(other)
    const { count, unread, results } = await noticesOf(owner)
    expect([count, unread]).toEqual([2, 2])
    expect(results).toMatchObject([
      {
        kind: 'report_recovered',
        severity: 'success',
        report: { id: report.id, name: 'Acme daily' },
        code: null,
      },
      { kind: 'report_failed', severity: 'error', code: 'channel_no_data', read_at: null, detail: {} },
    ])
  })

  it('of every kind can be listed', async () => {
    const owner = await api.signedIn('staff')
    for (const kind of noticeKinds) await notify(owner, { kind })
    expect((await noticesOf(owner, '?limit=100')).results.map(notice => notice.kind).toReversed()).toEqual(
      noticeKinds,
    )
  })

  it('are read one by one or all at once, and can be filtered by that', async () => {
    const owner = await api.signedIn('staff')
    for (let count = 0; count < 3; count++) await notify(owner)
    const [newest] = (await noticesOf(owner)).results
    expect((await owner.post(`${PATH}read/`, { ids: [newest?.id] })).body).toEqual({ unread: 2 })
    expect((await noticesOf(owner, '?unread=true')).count).toBe(2)
    expect((await noticesOf(owner)).results[0]?.read_at).toEqual(expect.any(String))
    expect((await owner.post(`${PATH}read/`, { all: true })).body).toEqual({ unread: 0 })
    expectRefusal(await owner.post(`${PATH}read/`, {}), 400, 'invalid', { body: ['field_invalid'] })
  })

  it('of others do not exist', async () => {
    const [owner, other] = [await api.signedIn('external_user'), await api.signedIn('external_user')]
    await notify(owner)
    const [notice] = (await noticesOf(owner)).results
    const theirs = await other.post(`${PATH}read/`, { ids: [notice?.id] })
    const missing = await other.post(`${PATH}read/`, { ids: [999_999_999] })
    expect([theirs.status, theirs.body]).toEqual([missing.status, missing.body])
    expect((await noticesOf(owner)).unread).toBe(1)
  })

  it('about a report that is no longer visible are gone, as is its present name', async () => {
    const [owner, colleague] = [await api.signedIn('staff'), await api.signedIn('staff')]
    const report = await owner.report({ name: 'Shared' })
    await owner.post(`/api/gs-template-setting/${report.id}/share/`, {
      user: colleague.user.id,
      access: 'viewer',
    })
    expect(await noticesOf(colleague)).toMatchObject({
      unread: 1,
      results: [
        { kind: 'report_shared', report: { name: 'Shared' }, detail: { person: owner.user.username } },
      ],
    })
    await owner.delete(`/api/gs-template-setting/${report.id}/share/${colleague.user.id}/`)
    expect(await noticesOf(colleague)).toMatchObject({ count: 0, unread: 0, results: [] })
    expect(await noticesOf(colleague, '?search=Shared')).toMatchObject({ count: 0 })
  })

  it('report a shared report once, however its access changes', async () => {
    const [owner, colleague] = [await api.signedIn('staff'), await api.signedIn('staff')]
    const report = await owner.report()
    const share = (access: string) =>
      owner.post(`/api/gs-template-setting/${report.id}/share/`, { user: colleague.user.id, access })
    await share('viewer')
    await share('editor')
    expect((await noticesOf(colleague)).count).toBe(1)
  })

  it('report a copy that was sent, not one’s own', async () => {
    const [owner, colleague] = [await api.signedIn('staff'), await api.signedIn('staff')]
    const report = await owner.report({ name: 'Weekly' })
    await owner.post(`/api/gs-template-setting/${report.id}/copy/`, { to_user: colleague.user.id })
    await owner.post(`/api/gs-template-setting/${report.id}/copy/`, {})
    expect((await noticesOf(owner)).count).toBe(0)
    expect((await noticesOf(colleague)).results).toMatchObject([
      { kind: 'report_copied', report: { name: 'Weekly (copy)' } },
    ])
  })

  it('report transferred reports, all in one', async () => {
    const [owner, heir] = [await api.signedIn('staff'), await api.signedIn('staff')]
    const superuser = await api.signedIn('superuser', { full_name: 'Sasha Lin' })
    const [first] = [await owner.report(), await owner.report(), await owner.report()]
    const hand = (body: object) => superuser.post(`/api/user/${owner.user.id}/transfer-reports/`, body)
    await hand({ to: heir.user.id, reports: [first?.id] })
    await hand({ to: heir.user.id })
    await hand({ to: heir.user.id })
    expect((await noticesOf(heir)).results).toMatchObject([
      { kind: 'reports_transferred', report: null, detail: { count: 2, person: 'Sasha Lin' } },
      { kind: 'report_transferred', report: { id: first?.id }, detail: { person: 'Sasha Lin' } },
    ])
  })

  it('can be exported as a table, in words', async () => {
    const owner = await api.signedIn('external_user')
    const report = await owner.report({ name: '=Daily' })
    await notify(owner, { report: report.id, code: 'account_access_lost' })
    await notify(owner, { kind: 'report_recovered', report: report.id, code: null })
    const { body, headers } = await owner.get(`${PATH}?format=csv&limit=1`)
    expect(headers.get('content-type')).toContain('text/csv')
    const lines = String(body).trim().split('\r\n')
    expect(lines).toHaveLength(3)
    expect(lines[1]).toContain('is updating again')
    expect(lines[2]).toContain('contact your service specialist')
    expect(lines[2]).toContain("'=Daily")
  })

  it('are kept for 90 days', async () => {
    const owner = await api.signedIn('staff')
    await notify(owner, {}, new Date(clock.now.getTime() - 91 * DAY_MS))
    await notify(owner, {}, new Date(clock.now.getTime() - 89 * DAY_MS))
    await cleanUp(db, clock.now, { audit_days: 730 })
    expect((await noticesOf(owner)).count).toBe(1)
  })
})
