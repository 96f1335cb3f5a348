import { PNG } from 'pngjs'
import { describe, expect, it } from 'vitest'
import { NotificationList } from '#shared/api/notifications.ts'
import { Issue, IssueList } from '#shared/api/support.ts'
import type { NoticeKind } from '#shared/notices.ts'
import { todayIn } from '#shared/date-range.ts'
import { expectRefusal, testApi, type ApiResponse, type Client } from '#server/http/testing/api.ts'
import { ready, reportIn, REPORTS } from '#server/resources/reports/testing/requests.ts'

const api = await testApi()
const client = await api.signedIn('external_user')
const outsider = await api.signedIn('external_user')
const staff = await api.signedIn('staff', { department: 2 })
const developer = await api.signedIn('staff', { department: 6 })
const boss = await api.signedIn('superuser')

const PATH = '/api/support/'
const at = (ms: number) => new Date(api.clock.now.getTime() + ms).toISOString()
const facts = () => ({ report_type: 'others', occurred_at: at(0), description: 'Something is odd' })
const one = ({ status, body }: ApiResponse) => {
  expect(status, JSON.stringify(body)).toBeLessThan(300)
  return Issue.parse(body)
}
const sent = async (who: Client, more: object = {}) => one(await who.post(PATH, { ...facts(), ...more }))
const listed = async (who: Client, query = '') =>
  IssueList.parse((await who.get(`${PATH}?limit=100&${query}`)).body).results.map(({ id }) => id)
const noticesOf = async (who: Client, of: NoticeKind = 'issue_answered') =>
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
    const refused = await outsider.post(PATH, theirs)
    const missing = await outsider.post(PATH, { ...theirs, report: 999_999_999 })
    for (const answer of [refused, missing])
      expectRefusal(answer, 400, 'invalid', { report: ['field_not_available'] })
  })

  it('is complete, and happened before it is reported', async () => {
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
  it('is the reporter, and support editors', async () => {
    const { id } = await sent(client, { description: 'A secret of the client: 7f3a-canary' })
    for (const who of [client, developer, boss]) expect(await listed(who)).toContain(id)
    for (const who of [outsider, staff]) {
      const list = await who.get(`${PATH}?limit=100&search=canary`)
      expect(JSON.stringify(list.body)).not.toContain('7f3a-canary')
      expectRefusal(await who.get(`${PATH}${id}/`), 404, 'not_found')
      expectRefusal(await who.patch(`${PATH}${id}/`, { answer: 'Mine' }), 404, 'not_found')
    }
  })

  it('is returned by the editor check; no client is an editor, whatever their department', async () => {
    const odd = await api.signedIn('external_user', { department: 6 })
    const editor = async (who: Client) => (await who.get(`${PATH}editor-check`)).body
    for (const who of [developer, boss]) expect(await editor(who)).toEqual({ editor: true })
    for (const who of [client, staff, odd]) expect(await editor(who)).toEqual({ editor: false })
    const { id } = await sent(client)
    expect((await odd.get(`${PATH}${id}/`)).status).toBe(404)
  })

  it('finds them by their text and by their state, in order', async () => {
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

describe('what its reporter adds to an issue', () => {
  const add = (who: Client, id: number, text: string) => who.post(`${PATH}${id}/additions/`, { text })

  it('is read with it, found by its text, and notifies support editors', async () => {
    const { id } = await sent(client)
    one(await add(client, id, 'It is the second column.'))
    api.clock.now = new Date(api.clock.now.getTime() + 1000)
    const last = one(await add(client, id, 'And the third: 4b1e.'))
    expect(last.additions.map(({ text }) => text)).toEqual([
      'It is the second column.',
      'And the third: 4b1e.',
    ])
    expect(last.last_modified_at).toBe(last.additions[1]?.created_at)
    expect(one(await developer.get(`${PATH}${id}/`)).additions).toHaveLength(2)
    expect(await listed(developer, 'search=4b1e')).toEqual([id])
    const news = (await noticesOf(developer, 'issue_added')).filter(({ detail }) => detail.issue === id)
    expect(news).toHaveLength(2)
    expect(await noticesOf(client, 'issue_added')).toEqual([])
  })

  it.each([
    ['answered', 'open'],
    ['closed', 'open'],
    ['open', 'open'],
    ['in_progress', 'in_progress'],
  ])('leads from %s to %s', async (from, to) => {
    const { id } = await sent(client)
    await boss.patch(`${PATH}${id}/`, { status: from, answer: 'Try again.' })
    expect(one(await add(client, id, 'It is still so.'))).toMatchObject({ status: to, answer: 'Try again.' })
  })

  it('is theirs alone, has a text, and counts like an issue', async () => {
    const { id } = await sent(client)
    for (const who of [outsider, staff]) expectRefusal(await add(who, id, 'Mine'), 404, 'not_found')
    expectRefusal(await add(boss, id, 'Mine'), 403, 'forbidden')
    expectRefusal(await add(client, id, ' '), 400, 'invalid', { text: ['field_required'] })
    const busy = await api.signedIn('external_user')
    const { id: own } = await sent(busy)
    await withLimit(3, async () => {
      for (const text of ['Second', 'Third']) one(await add(busy, own, text))
      expectRefusal(await add(busy, own, 'Fourth'), 429, 'too_many_issues')
      expectRefusal(await busy.post(PATH, facts()), 429, 'too_many_issues')
    })
  })
})

describe('a new issue', () => {
  it('notifies support editors, but not its reporter', async () => {
    const news = async (who: Client, issue: number) =>
      (await noticesOf(who, 'issue_reported')).filter(({ detail }) => detail.issue === issue)
    const { id } = await sent(client)
    for (const who of [developer, boss])
      expect(await news(who, id)).toMatchObject([{ detail: { issue: id, person: client.user.username } }])
    for (const who of [client, staff, outsider]) expect(await news(who, id)).toEqual([])
    const own = await sent(boss)
    expect(await news(boss, own.id)).toEqual([])
    expect(await news(developer, own.id)).toHaveLength(1)
  })
})

describe('an answer', () => {
  it('is given by editors alone, and notifies the reporter once', async () => {
    const who = await api.signedIn('external_user')
    const { id } = await sent(who)
    expectRefusal(await who.patch(`${PATH}${id}/`, { status: 'closed' }), 403, 'forbidden')
    one(await developer.patch(`${PATH}${id}/`, { status: 'in_progress' }))
    expect(await noticesOf(who)).toEqual([])
    const answered = one(await developer.patch(`${PATH}${id}/`, { answer: 'Mended.' }))
    expect(answered).toMatchObject({
      status: 'answered',
      answer: 'Mended.',
      answered_by_name: developer.user.username,
    })
    one(await developer.patch(`${PATH}${id}/`, { answer: 'Mended.', status: 'closed' }))
    expect(await noticesOf(who)).toMatchObject([{ report: null, detail: { issue: id } }])
    expect(one(await who.get(`${PATH}${id}/`))).toMatchObject({ status: 'closed', answer: 'Mended.' })
  })

  it('to one’s own issue is no news', async () => {
    const { id } = await sent(boss)
    one(await boss.patch(`${PATH}${id}/`, { answer: 'I know.' }))
    expect(await noticesOf(boss)).toEqual([])
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
    expect(await noticesOf(owner)).toHaveLength(1)
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

describe('an image', () => {
  const png = (width = 3, height = 2) => new Uint8Array(PNG.sync.write(new PNG({ width, height })))
  const form = (bytes: Uint8Array<ArrayBuffer> | null, more: Record<string, string> = {}) => {
    const body = new FormData()
    for (const [name, value] of Object.entries({ ...facts(), ...more })) body.set(name, value)
    // Its name and content type are wrong each time.
    if (bytes) body.set('image', new File([bytes], '../../etc/passwd.html', { type: 'text/html' }))
    return body
  }
  const fetched = (who: Client, id: number) =>
    fetch(`${api.origin}${PATH}${id}/image/`, { headers: { authorization: `Bearer ${who.token}` } })

  it('comes with an issue, and is shown by its actual type to everybody who sees the issue', async () => {
    const report = await client.report({ name: 'Seen' })
    const fields = { report_type: 'auto_update_report', report: String(report.id) }
    const issue = one(await client.post(PATH, form(png(), fields)))
    expect(issue).toMatchObject({
      report: { id: report.id },
      image: { type: 'image/png', width: 3, height: 2 },
    })
    for (const who of [client, developer, boss]) {
      const answer = await fetched(who, issue.id)
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': 'image/png',
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
        'content-security-policy': expect.stringContaining('sandbox'),
      })
      expect(new Uint8Array(await answer.arrayBuffer())).toEqual(png())
    }
    for (const who of [outsider, staff]) expect((await fetched(who, issue.id)).status).toBe(404)
    const plain = one(await client.post(PATH, form(null)))
    expect(plain.image).toBeNull()
    expect((await fetched(client, plain.id)).status).toBe(404)
  })

  it.each([
    ['script in SVG', bytesOf('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['HTML that begins like a PNG', bytesOf('\u0089PNG\r\n\u001a\n<script>alert(1)</script>')],
    ['HTML that begins like a GIF', bytesOf('GIF89a')],
    ['the first bytes of a JPEG', bytesOf('\u00ff\u00d8\u00ff\u00e0')],
    ['a WebP without a picture', bytesOf('RIFF\u0004\0\0\0WEBP')],
    ['nothing', new Uint8Array()],
  ])('is refused when it is none: %s', async (_, bytes) => {
    expectRefusal(await client.post(PATH, form(bytes)), 400, 'invalid', { image: ['image_type'] })
  })

  it('is refused when it would fill memory or disk', async () => {
    const bomb = png()
    // The width and height of its header: 50,000 pixels each.
    for (const offset of [16, 20]) new DataView(bomb.buffer).setUint32(offset, 50_000)
    const heavy = new Uint8Array(5 * 1024 * 1024 + 1)
    heavy.set(png())
    for (const bytes of [bomb, heavy])
      expectRefusal(await client.post(PATH, form(bytes)), 400, 'invalid', { image: ['image_too_large'] })
    expectRefusal(await client.post(PATH, form(new Uint8Array(7 * 1024 * 1024))), 413, 'payload_too_large')
    const many = await api.signedIn('external_user')
    for (let count = 0; count < 20; count++) one(await many.post(PATH, form(png())))
    expectRefusal(await many.post(PATH, form(png())), 400, 'invalid', { image: ['too_many_images'] })
    one(await many.post(PATH, form(null)))
  })

  it('comes in a valid form, to a route that takes one', async () => {
    const multipart = { headers: { 'content-type': 'multipart/form-data; boundary=x' } }
    for (const body of ['--y\r\n', '--x\r\n\r\n', ''])
      expectRefusal(await client.post(PATH, body, multipart), 400, 'invalid')
    const twice = form(png())
    twice.append('image', new File([png()], 'b.png'))
    expectRefusal(await client.post(PATH, twice), 400, 'invalid')
    expectRefusal(await client.post(PATH, form(null, { description: 'a\0b' })), 400, 'invalid')
    expectRefusal(await client.post(PATH, form(null, { image: 'a text' })), 400, 'invalid', {
      image: ['field_invalid'],
    })
    expectRefusal(await client.post(REPORTS, form(png())), 415, 'unsupported_media_type')
  })
})

function bytesOf(text: string) {
  return Uint8Array.from(text, letter => letter.charCodeAt(0))
}

describe('the daily limit of one person', () => {
  const picture = new Uint8Array(PNG.sync.write(new PNG({ width: 1, height: 1 })))
  const withPicture = () => {
    const body = new FormData()
    for (const [name, value] of Object.entries(facts())) body.set(name, value)
    body.set('image', new File([picture], 'a.png'))
    return body
  }
  const statusesOf = async (answers: Promise<ApiResponse>[]) =>
    (await Promise.all(answers)).map(({ status }) => status)

  it('is twenty images, however many are sent at once', async () => {
    const many = await api.signedIn('external_user')
    const statuses = await statusesOf(Array.from({ length: 40 }, () => many.post(PATH, withPicture())))
    expect(statuses.filter(status => status === 201)).toHaveLength(20)
    expect(statuses.filter(status => status === 400)).toHaveLength(20)
    one(await many.post(PATH, facts()))
    expectRefusal(await many.post(PATH, withPicture()), 400, 'invalid', { image: ['too_many_images'] })
  })

  it('is so many issues, however many are reported at once; the next day starts anew', async () => {
    await withLimit(10, async () => {
      const many = await api.signedIn('external_user')
      const statuses = await statusesOf(Array.from({ length: 30 }, () => many.post(PATH, facts())))
      expect(statuses.filter(status => status === 201)).toHaveLength(10)
      expect(statuses.filter(status => status === 429)).toHaveLength(20)
      const refused = await many.post(PATH, facts())
      expectRefusal(refused, 429, 'too_many_issues')
      expect(refused.body).toMatchObject({ limit: 10 })
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
      one(await (await api.signedIn('external_user')).post(PATH, facts()))
      await api.db
        .updateTable('support_issue')
        .set({ created_at: new Date(api.clock.now.getTime() - 25 * 60 * 60_000) })
        .where('reporter', '=', many.user.id)
        .execute()
      one(await many.post(PATH, facts()))
    })
  })
})

async function withLimit(issues_a_day: number, meanwhile: () => Promise<void>) {
  const { quotas } = api.effects.settings
  const before = { ...quotas }
  quotas.issues_a_day = issues_a_day
  try {
    await meanwhile()
  } finally {
    Object.assign(quotas, before)
  }
}
