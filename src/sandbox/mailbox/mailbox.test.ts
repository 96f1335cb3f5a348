import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { afterAll, describe, expect, it } from 'vitest'
import { startSandbox } from '#sandbox/sandbox.ts'
import { readMail } from './mail.ts'
import { openMailbox } from './mailbox.ts'

const dir = mkdtempSync(join(tmpdir(), 'mailbox-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))
const NOW = new Date('2026-11-20T01:00:00Z')

async function open() {
  const mailbox = await openMailbox(dir, () => NOW)
  const sandbox = await startSandbox({ mount: () => [mailbox] })
  const { smtp_port } = JSON.parse(readFileSync(join(dir, 'mailbox.json'), 'utf8'))
  const transport = createTransport({ host: '127.0.0.1', port: smtp_port })
  const get = async (path: string) => {
    const response = await fetch(sandbox.origin + path)
    const body = Object(await response.json())
    return { status: response.status, body }
  }
  return { ...sandbox, transport, get }
}

describe('the mailbox', () => {
  const mail = {
    from: 'Sheetcast <from@example.com>',
    to: 'owner@example.com',
    subject: '報表「每日成效」未能更新，試算表保留上次的表格 “Daily” = 1 + 1',
    text: `文字 text = 1 + 1 ${'a long line '.repeat(20)}`,
    html: `<p>報表</p>\n<p>${'a long line '.repeat(20)}</p>`,
  }

  it('stores what it receives, over a restart too, and delivers nothing', async () => {
    const first = await open()
    await first.transport.sendMail(mail)
    await first.stop()
    const second = await open()
    await second.transport.sendMail({ ...mail, to: 'other@example.com', subject: 'Second' })
    const { body } = await second.get('/mailbox/messages')
    expect(body).toMatchObject({
      messages: [
        { id: 2, receivers: ['other@example.com'], subject: 'Second' },
        { id: 1, at: NOW.toISOString(), receivers: ['owner@example.com'], subject: mail.subject },
      ],
    })
    const { body: opened } = await second.get('/mailbox/messages/1')
    expect(opened.text.trimEnd()).toBe(mail.text.trimEnd())
    expect(opened.html.replaceAll('\r\n', '\n').trim()).toBe(mail.html)
    expect((await second.get('/mailbox/messages/3')).status).toBe(404)
    await second.stop()
  })

  it('reads a mail that is text alone, in any encoding', () => {
    const of = (headers: string, body: string) => readMail(`Subject: S\r\n${headers}\r\n\r\n${body}`).text
    expect(of('Content-Transfer-Encoding: base64', Buffer.from('報表').toString('base64'))).toBe('報表')
    expect(of('Content-Transfer-Encoding: quoted-printable', '=E5=A0=\r\n=B1 =3D')).toBe('報 =')
    expect(of('X: y', 'plain')).toBe('plain')
    expect(readMail('no headers at all')).toMatchObject({ subject: '', html: null })
  })
})
