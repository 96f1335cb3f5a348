import { describe, expect, it } from 'vitest'
import { NotificationList } from '#shared/api/notifications.ts'
import { Issue, IssueList } from '#shared/api/support.ts'
import type { NoticeKind } from '#shared/notices.ts'
import { todayIn } from '#shared/date-range.ts'
import { expectRefusal, testApi, type Answer, type Client } from '#server/http/testing.ts'
import { ready, reportIn, REPORTS } from '#server/resources/reports/testing.ts'

const api = await testApi()
const client = await api.signedIn('external_user')
const stranger = await api.signedIn('external_user')
const staff = await api.signedIn('staff', { department: 2 })
const developer = await api.signedIn('staff', { department: 6 })
const boss = await api.signedIn('superuser')

const PATH = '/api/support/'
const at = (ms: number) => new Date(api.clock.now.getTime() + ms).toISOString()
const facts = () => ({ report_type: 'others', occurred_at: at(0), description: 'Something is odd' })
const one = ({ status, body }: Answer) => {
  expect(status, JSON.stringify(body)).toBeLessThan(300)
  return Issue.parse(body)
}
const sent = async (who: Client, more: object = {}) => one(await who.post(PATH, { ...facts(), ...more }))
const listed = async (who: Client, query = '') =>
  IssueList.parse((await who.get(`${PATH}?limit=100&${query}`)).body).results.map(({ id }) => id)
const told = async (who: Client, of: NoticeKind = 'issue_answered') =>
  NotificationList.parse((await who.get('/api/notifications/?limit=100')).body).results.filter(
    ({ kind }) => kind === of,
  )

describe('an issue', () => {
  it('is about one of the reports that its reporter sees', async () => {
    const report = await client.report({ name: 'Broken' })
    const issue = await sent(client, { report_type: 'auto_update_report', report: report.id })
    expect(issue).toMatchObject({
      report: { id: report.id, name: 'Broken' },
      status: 'open',
      answer: null,
      reporter: client.user.id,
      grants_history: false,
    })
    const theirs = { ...facts(), report_type: 'auto_update_report', report: report.id }
    const refused = await stranger.post(PATH, theirs)
    const missing = await stranger.post(PATH, { ...theirs, report: 999_999_999 })
    for (const answer of [refused, missing])
      expectRefusal(answer, 400, 'invalid', { report: ['field_not_available'] })
  })

  it('lacks nothing, and happened before it is told', async () => {
    const without = { ...facts(), report_type: 'auto_update_report' }
    expectRefusal(await client.post(PATH, without), 400, 'invalid', { report: ['field_required'] })
    expectRefusal(await client.post(PATH, { ...facts(), occurred_at: at(60_000) }), 400, 'invalid', {
      occurred_at: ['time_in_future'],
    })
    for (const description of ['  ', 'x'.repeat(5001)])
      expect((await client.post(PATH, { ...facts(), description })).status).toBe(400)
    expect((await sent(client, { description: 'x'.repeat(5000) })).description).toHaveLength(5000)
  })

  it('stays when its report is deleted, without the name', async () => {
    const report = await client.report({ name: 'Soon gone' })
    const { id } = await sent(client, { report: report.id })
    await client.delete(`${REPORTS}${report.id}/`)
    expect(one(await client.get(`${PATH}${id}/`)).report).toBeNull()
    const refused = await boss.patch(`${PATH}${id}/`, { grant_history: true })
    expectRefusal(refused, 400, 'invalid', { grant_history: ['field_not_available'] })
  })
})

describe('who reads issues', () => {
  it('is whoever reported them, and support editors', async () => {
    const { id } = await sent(client, { description: 'A secret of the client: 7f3a-canary' })
    for (const who of [client, developer, boss]) expect(await listed(who)).toContain(id)
    for (const who of [stranger, staff]) {
      const list = await who.get(`${PATH}?limit=100&search=canary`)
      expect(JSON.stringify(list.body)).not.toContain('7f3a-canary')
      expectRefusal(await who.get(`${PATH}${id}/`), 404, 'not_found')
      expectRefusal(await who.patch(`${PATH}${id}/`, { answer: 'Mine' }), 404, 'not_found')
    }
  })

  it('is said by the editor check; no client is an editor, whatever their department', async () => {
    const odd = await api.signedIn('external_user', { department: 6 })
    const editor = async (who: Client) => (await who.get(`${PATH}editor-check`)).body
    for (const who of [developer, boss]) expect(await editor(who)).toEqual({ editor: true })
    for (const who of [client, staff, odd]) expect(await editor(who)).toEqual({ editor: false })
    const { id } = await sent(client)
    expect((await odd.get(`${PATH}${id}/`)).status).toBe(404)
  })

  it('finds them by what they say and by their state, in order', async () => {
    const who = await api.signedIn('staff')
    const first = await sent(who, { description: 'Numbers are 50% off' })
    const second = await sent(who, { description: 'Numbers are 500 off' })
    expect(await listed(who)).toEqual([second.id, first.id])
    expect(await listed(who, 'ordering=id')).toEqual([first.id, second.id])
    expect(await listed(who, `search=${encodeURIComponent('50% off')}`)).toEqual([first.id])
    await boss.patch(`${PATH}${first.id}/`, { status: 'closed' })
    expect(await listed(who, 'status=closed')).toEqual([first.id])
    expect(await listed(who, 'status=open')).toEqual([second.id])
  })
})

describe('a new issue', () => {
  it('is told to support editors, but not to the one who reports it', async () => {
    const news = async (who: Client, issue: number) =>
      (await told(who, 'issue_reported')).filter(({ detail }) => detail.issue === issue)
    const { id } = await sent(client)
    for (const who of [developer, boss])
      expect(await news(who, id)).toMatchObject([{ detail: { issue: id, person: client.user.username } }])
    for (const who of [client, staff, stranger]) expect(await news(who, id)).toEqual([])
    const own = await sent(boss)
    expect(await news(boss, own.id)).toEqual([])
    expect(await news(developer, own.id)).toHaveLength(1)
  })
})

describe('an answer', () => {
  it('is given by editors alone, and told to the reporter once', async () => {
    const who = await api.signedIn('external_user')
    const { id } = await sent(who)
    expectRefusal(await who.patch(`${PATH}${id}/`, { status: 'closed' }), 403, 'forbidden')
    one(await developer.patch(`${PATH}${id}/`, { status: 'in_progress' }))
    expect(await told(who)).toEqual([])
    const answered = one(await developer.patch(`${PATH}${id}/`, { answer: 'Mended.' }))
    expect(answered).toMatchObject({
      status: 'answered',
      answer: 'Mended.',
      answered_by_name: developer.user.username,
    })
    one(await developer.patch(`${PATH}${id}/`, { answer: 'Mended.', status: 'closed' }))
    expect(await told(who)).toMatchObject([{ report: null, detail: { issue: id } }])
    expect(one(await who.get(`${PATH}${id}/`))).toMatchObject({ status: 'closed', answer: 'Mended.' })
  })

  it('of one’s own issue is no news', async () => {
    const { id } = await sent(boss)
    one(await boss.patch(`${PATH}${id}/`, { answer: 'I know.' }))
    expect(await told(boss)).toEqual([])
  })
})

describe('a grant', () => {
  it('lets a range of three years be saved, in that report alone', async () => {
    const owner = await ready(api, 'external_user')
    const [report, other] = [await owner.report(owner.body), await owner.report(owner.body)]
    const today = Temporal.PlainDate.from(todayIn('Asia/Taipei', api.clock.now))
    const date_range = {
      start: today.subtract({ days: 1095 }).toString(),
      end: today.toString(),
      dynamic_range: 0,
    }
    const save = (id: number) => owner.patch(`${REPORTS}${id}/`, { version: 1, date_range })
    expect((await save(report.id)).status).toBe(400)
    const { id } = await sent(owner, { report_type: 'auto_update_report', report: report.id })
    expectRefusal(await owner.patch(`${PATH}${id}/`, { grant_history: true }), 403, 'forbidden')
    expect((await save(report.id)).status).toBe(400)
    const granted = one(await developer.patch(`${PATH}${id}/`, { grant_history: true }))
    expect(granted).toMatchObject({ grants_history: true, status: 'answered', report: { id: report.id } })
    expect(await told(owner)).toHaveLength(1)
    expect(reportIn(await save(report.id))).toMatchObject({ history_extended: true, date_range })
    expect((await save(other.id)).status).toBe(400)
    const audit = await boss.get(`/api/audit/?action=report.extend_history`)
    expect(audit.body).toMatchObject({
      count: 1,
      results: [{ actor: developer.user.id, object_id: String(report.id), detail: { issue: id } }],
    })
  })

  it('needs a report', async () => {
    const { id } = await sent(client)
    const refused = await boss.patch(`${PATH}${id}/`, { grant_history: true })
    expectRefusal(refused, 400, 'invalid', { grant_history: ['field_not_available'] })
  })
})
