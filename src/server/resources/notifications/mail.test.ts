import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { readMail } from '#sandbox/mailbox/mail.ts'
import { testApi, type Client, type PersonFacts } from '#server/http/testing/api.ts'
import { smtpMailer, type Message, type Mailer } from '#server/mail/smtp.ts'
import { mailServer } from '#server/mail/testing/server.ts'
import { insertNotices, type NewNotice } from './queries.ts'
import { sendMail } from './send-mail.ts'

const api = await testApi()
const { db } = api
const MINUTE_MS = 60_000
const BEGIN = new Date('2026-11-20T01:00:00Z')
const after = (minutes: number) => new Date(BEGIN.getTime() + minutes * MINUTE_MS)

/** A mail server for one person: what it was sent, and its response. */
function post(send: Mailer['send'] = async () => ({ ok: true })) {
  const messages: Message[] = []
  const dead: string[] = []
  const mailer: Mailer = {
    send(message, signal) {
      messages.push(message)
      return send(message, signal)
    },
  }
  const sendDue = (now: Date, more: { mailer?: Mailer } = {}) =>
    sendMail({
      db,
      mailer,
      now,
      public_url: 'https://reports.example.com',
      window_ms: 5 * MINUTE_MS,
      signal: new AbortController().signal,
      onDead: mail => void dead.push(mail),
      ...more,
    })
  return { messages, dead, sendDue }
}

async function person(facts: PersonFacts & { identity?: 'external_user' | 'staff' } = {}) {
  const { identity = 'staff', ...rest } = facts
  const email = `${randomUUID()}@example.com`
  return { client: await api.signedIn(identity, { email, email_confirmed: true, ...rest }), email }
}
const set = (client: Client, changes: object) =>
  db.updateTable('users').set(changes).where('id', '=', client.user.id).execute()
const notify = (client: Client, notice: Partial<NewNotice> = {}, at = BEGIN) =>
  insertNotices(
    db,
    [{ user_id: client.user.id, kind: 'report_failed', code: 'channel_no_data', ...notice }],
    at,
  )
const forget = () => db.deleteFrom('mail').execute()

describe('mail', () => {
  it('gathers what happens within the window into one e-mail for each person', async () => {
    await forget()
    const [one, other] = [await person(), await person()]
    const [daily, weekly] = [
      await one.client.report({ name: 'Daily' }),
      await one.client.report({ name: 'Weekly' }),
    ]
    const { messages, sendDue } = post()
    await notify(one.client, { report: daily.id })
    await notify(one.client, { report: weekly.id, code: 'spreadsheet_not_shared' }, after(3))
    await notify(other.client, { report: (await other.client.report()).id }, after(4))
    await sendDue(after(4.9))
    expect(messages).toEqual([])
    await sendDue(after(5))
    expect(messages.map(message => message.to)).toEqual([one.email])
    expect(messages[0]?.text).toContain('“Daily” could not be updated')
    expect(messages[0]?.text).toContain('“Weekly” could not be updated')
    expect(messages[0]?.text).toContain(`https://reports.example.com/gs-template/setting?id=${weekly.id}`)
    expect(messages[0]?.subject).toBe('“Daily” could not be updated (and 1 more)')
    await sendDue(after(9))
    await sendDue(after(20))
    expect(messages.map(message => message.to)).toEqual([one.email, other.email])
  })

  it('is in the recipient’s language', async () => {
    const { client } = await person()
    await set(client, { language: 'zh-TW' })
    const report = await client.report({ name: '每日成效' })
    await notify(client, {
      kind: 'channels_lack_output',
      report: report.id,
      detail: { channels: ['Meta ads', 'GA4'] },
    })
    const { messages, sendDue } = post()
    await sendDue(after(5))
    expect(messages[0]?.subject).toBe('報表「每日成效」部分管道沒有輸出資料：Meta ads、GA4')
    expect(messages[0]?.html).toContain('lang="zh-Hant-TW"')
  })

  it('tells clients to contact their specialist, where the agency’s own people get a link to the instructions', async () => {
    const { messages, sendDue } = post()
    const emails: string[] = []
    for (const identity of ['external_user', 'staff'] as const) {
      const { client, email } = await person({ identity })
      emails.push(email)
      await notify(client, { report: (await client.report()).id, code: 'account_access_lost' })
    }
    await sendDue(after(5))
    const [outside, inside] = emails.map(email => messages.find(message => message.to === email)?.text)
    expect(outside).toContain('contact your service specialist')
    expect(inside).toContain('See the instructions')
  })

  it.each([
    ['wants none', { mail_notices: 'none' }],
    ['has no confirmed address', { email_confirmed: false }],
    ['has no address', { email: null }],
    ['has left', { employment_status: 2 }],
    ['has a closed account', { is_active: 0 }],
  ])('is not sent to a person who %s', async (_, changes) => {
    const { client } = await person()
    await notify(client)
    await set(client, changes)
    const { messages, sendDue } = post()
    await sendDue(after(5))
    expect(messages).toEqual([])
  })

  it('is not sent when any of that happens before it is', async () => {
    const { client } = await person()
    await notify(client)
    const { messages, sendDue } = post(async () => ({ ok: false, lasting: false, problem: 'busy' }))
    await sendDue(after(5))
    expect(messages).toHaveLength(1)
    await set(client, { is_active: 0 })
    await sendDue(after(10))
    expect(messages).toHaveLength(1)
    expect(
      await db.selectFrom('mail').select('state').where('user_id', '=', client.user.id).execute(),
    ).toEqual([{ state: 'dropped' }])
  })

  it('leaves out what was read within the window, what is no longer visible, and what is old', async () => {
    const [{ client }, { client: owner }] = [await person(), await person()]
    const shared = await owner.report()
    const share = {
      report: shared.id,
      user_id: client.user.id,
      access: 'viewer' as const,
      shared_by: owner.user.id,
    }
    await db.insertInto('report_share').values(share).execute()
    await notify(client)
    await client.post('/api/notifications/read/', { all: true })
    await notify(client, { report: shared.id })
    await owner.delete(`/api/gs-template-setting/${shared.id}/share/${client.user.id}/`)
    await notify(client, {}, after(-24 * 60))
    const { messages, sendDue } = post()
    await sendDue(after(5))
    expect(messages).toEqual([])
  })

  it('about shared and transferred reports goes to people who want everything', async () => {
    const [{ client }, { client: keen }] = [await person(), await person()]
    await keen.patch(`/users/${keen.user.id}/`, { mail_notices: 'all' })
    for (const each of [client, keen]) {
      const report = await each.report({ name: 'Shared' })
      await notify(each, {
        kind: 'report_shared',
        code: null,
        report: report.id,
        detail: { person: 'Dana Wu' },
      })
    }
    const { messages, sendDue } = post()
    await sendDue(after(5))
    expect(messages.map(message => message.subject)).toEqual(['Dana Wu shared “Shared” with you'])
  })
})

describe('the outbox', () => {
  it('sends each e-mail once, however many processes send at the same time', async () => {
    for (let count = 0; count < 12; count++) await notify((await person()).client)
    const { messages, sendDue } = post()
    await Promise.all(Array.from({ length: 6 }, () => sendDue(after(5))))
    expect(messages).toHaveLength(12)
    expect(new Set(messages.map(message => message.to)).size).toBe(12)
  })

  it('retries with longer and longer pauses, under one Message-ID, and gives up after twelve tries', async () => {
    const { client } = await person()
    await notify(client)
    const { messages, dead, sendDue } = post(async () => ({
      ok: false,
      lasting: false,
      problem: 'ETIMEDOUT',
    }))
    const tried: number[] = []
    for (let minute = 5; minute < 8 * 60; minute++) {
      const before = messages.length
      await sendDue(after(minute))
      if (messages.length > before) tried.push(minute - 5)
    }
    expect(tried).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183, 243, 303, 363])
    expect(new Set(messages.map(message => message.message_id)).size).toBe(1)
    expect(dead).toHaveLength(1)
    const mail = await db
      .selectFrom('mail')
      .select(['state', 'problem'])
      .where('user_id', '=', client.user.id)
      .execute()
    expect(mail).toEqual([{ state: 'dead', problem: 'ETIMEDOUT' }])
  })

  it('gives up at once when the server will never accept the message', async () => {
    const { client } = await person()
    await notify(client)
    const { messages, dead, sendDue } = post(async () => ({
      ok: false,
      lasting: true,
      problem: '550 no such user',
    }))
    await sendDue(after(5))
    await sendDue(after(60))
    expect([messages.length, dead.length]).toEqual([1, 1])
  })

  it('sends again what a killed process was sending, once its lease is over, under the same Message-ID', async () => {
    await notify((await person()).client)
    const { promise: killed } = Promise.withResolvers<never>()
    const first = post(() => killed)
    void first.sendDue(after(5))
    await expect.poll(() => first.messages.length).toBe(1)
    const second = post()
    await second.sendDue(after(7))
    expect(second.messages).toEqual([])
    await second.sendDue(after(8))
    expect(second.messages.map(message => message.message_id)).toEqual(
      first.messages.map(message => message.message_id),
    )
    await second.sendDue(after(30))
    expect(second.messages).toHaveLength(1)
  })

  it('ignores the result of a process whose lease is over', async () => {
    const { client } = await person()
    await notify(client)
    const { promise, resolve } = Promise.withResolvers<{ ok: false; lasting: true; problem: string }>()
    const slow = post(() => promise)
    const slow_turn = slow.sendDue(after(5))
    await expect.poll(() => slow.messages.length).toBe(1)
    await post().sendDue(after(8))
    resolve({ ok: false, lasting: true, problem: 'too late' })
    await slow_turn
    const mail = await db.selectFrom('mail').select('state').where('user_id', '=', client.user.id).execute()
    expect(mail).toEqual([{ state: 'sent' }])
  })
})

describe('an untrusted name', () => {
  it.each([
    'Daily\r\nBcc: thief@example.com\r\n\r\n<h1>Pay here</h1>',
    '<img src=x onerror=alert(1)><script>alert(1)</script>',
    '"><a href="https://evil.example">Click</a>',
    'Daily {{channels}} {{report}} $& $1',
  ])('is only ever a text: %j', async name => {
    const { url, received } = await mailServer()
    const { client, email } = await person()
    const report = await client.report({ name: 'x' })
    await db.updateTable('report').set({ name }).where('id', '=', report.id).execute()
    await notify(client, { kind: 'report_shared', report: report.id, code: null, detail: { person: name } })
    await notify(client, { report: report.id, detail: { channels: [name] } })
    await set(client, { mail_notices: 'all' })
    const mailer = smtpMailer({ smtp_url: url, mail_from: 'Sheetcast <from@example.com>' })
    await post().sendDue(after(5), { mailer })
    expect(received.map(mail => mail.to)).toEqual([[email]])
    const { subject, text, html } = readMail(received[0]?.raw ?? '')
    const [head = ''] = received[0]?.raw.split('\r\n\r\n') ?? []
    expect(head).not.toMatch(/^bcc:/im)
    expect(subject).toContain(name.replaceAll(/\r\n(\r\n)?/g, ' '))
    expect(text).toContain(name.replaceAll(/\r\n(\r\n)?/g, ' '))
    const tags = [...(html ?? '').matchAll(/<([a-z]\w*)/g)].map(([, tag]) => tag)
    expect(new Set(tags)).toEqual(new Set(['html', 'head', 'meta', 'title', 'body', 'div', 'h1', 'p', 'a']))
    expect(html).not.toMatch(/<[^>]*\s(src|srcset|background|on\w+)=|url\(/)
    const links = [...(html ?? '').matchAll(/href="([^"]*)"/g)].map(([, link]) => link)
    expect(links.filter(link => !link?.startsWith('https://reports.example.com/'))).toEqual([])
  })
})
