import { describe, expect, it } from 'vitest'
import { smtpMailer, type Message } from './smtp.ts'
import { mailServer, oddServer } from './testing/server.ts'

/** For servers that never respond. */
const IMPATIENT = { connect_ms: 300, silence_ms: 300, whole_ms: 1000 }
const going = new AbortController().signal
const mailerAt = (smtp_url: string, limits?: typeof IMPATIENT) =>
  smtpMailer({ smtp_url, mail_from: 'Sheetcast <from@example.com>' }, limits)
const message = (more: Partial<Message> = {}): Message => ({
  to: 'owner@example.com',
  subject: 'A report could not be updated',
  text: 'text',
  html: '<p>html</p>',
  message_id: '<1@example.com>',
  settings_url: 'https://example.com/profile#notices',
  ...more,
})

describe('a message', () => {
  it('arrives unchanged, marked as auto-generated, under the id that it was given', async () => {
    const { url, received } = await mailServer()
    expect(await mailerAt(url).send(message(), going)).toEqual({ ok: true })
    expect(received).toMatchObject([{ to: ['owner@example.com'] }])
    for (const line of [
      'From: Sheetcast <from@example.com>',
      'To: owner@example.com',
      'Subject: A report could not be updated',
      'Message-ID: <1@example.com>',
      'Auto-Submitted: auto-generated',
      'List-Unsubscribe: <https://example.com/profile#notices>',
    ])
      expect(received[0]?.raw).toContain(`${line}\r\n`)
  })

  it.each([
    'Daily\r\nBcc: thief@example.com',
    'Daily\nBcc: thief@example.com\n\n<b>another body</b>',
    'Daily\u2028Bcc: thief@example.com',
    '\u202eyliaD',
    '=?UTF-8?Q?Daily=0D=0ABcc:_thief@example.com?=',
  ])('has no header that a name has injected: %j', async subject => {
    const { url, received } = await mailServer()
    expect(await mailerAt(url).send(message({ subject }), going)).toEqual({ ok: true })
    expect(received[0]?.to).toEqual(['owner@example.com'])
    const [head = ''] = received[0]?.raw.split('\r\n\r\n') ?? []
    expect(head).not.toMatch(/^bcc:/im)
    expect(head).not.toMatch(/\u202e|\u2028/)
  })

  it('goes to one recipient, whatever the address contains', async () => {
    const { url, received } = await mailServer()
    await mailerAt(url).send(message({ to: 'owner@example.com, thief@example.com' }), going)
    await mailerAt(url).send(message({ to: 'owner@example.com>\r\nRCPT TO:<thief@example.com' }), going)
    expect(received.flatMap(mail => mail.to)).not.toContain('thief@example.com')
  })
})

describe('a server that does not accept it', () => {
  it('permanently, since there is no such recipient, is not retried', async () => {
    const { url } = await mailServer()
    expect(await mailerAt(url).send(message({ to: 'unknown@example.com' }), going)).toMatchObject({
      ok: false,
      lasting: true,
      problem: expect.stringContaining('no such user'),
    })
  })

  it('temporarily is', async () => {
    const { url } = await mailServer(() => Object.assign(new Error('full'), { responseCode: 452 }))
    expect(await mailerAt(url).send(message(), going)).toMatchObject({ ok: false, lasting: false })
  })

  it.each([
    ['hangs', () => undefined],
    ['cuts the connection at once', socket => socket.destroy()],
    ['speaks something else', socket => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
    ['greets and then hangs', socket => void socket.write('220 hello\r\n')],
    [
      'cuts the connection in the middle of the message',
      socket => {
        socket.write('220 hello\r\n')
        socket.on('data', data => {
          if (/^DATA/m.test(String(data))) socket.write('354 go on\r\n', () => socket.destroy())
          else socket.write('250 fine\r\n')
        })
      },
    ],
  ] as [string, Parameters<typeof oddServer>[0]][])('since it %s, is retried later', async (_, behave) => {
    expect(await mailerAt(await oddServer(behave), IMPATIENT).send(message(), going)).toMatchObject({
      ok: false,
      lasting: false,
      problem: expect.stringMatching(/\w/),
    })
  })

  it('and responds byte by byte is disconnected after a while', async () => {
    const url = await oddServer(socket => {
      const timer = setInterval(() => socket.write('220-wait\r\n'), 100)
      socket.on('close', () => clearInterval(timer))
    })
    expect(await mailerAt(url, IMPATIENT).send(message(), going)).toMatchObject({ ok: false, lasting: false })
  })

  it('is disconnected at once when the process shuts down', async () => {
    const url = await oddServer(() => undefined)
    expect(await mailerAt(url).send(message(), AbortSignal.abort())).toMatchObject({
      ok: false,
      lasting: false,
    })
  })

  it('and repeats the credentials in its refusal is quoted without them', async () => {
    const url = await oddServer(socket => {
      socket.write('220 hello\r\n')
      socket.on('data', data => {
        const isLogin = String(data).startsWith('AUTH')
        socket.write(isLogin ? '535 me:very-secret! is wrong\r\n' : '250-fine\r\n250 AUTH PLAIN\r\n')
      })
    })
    const mailer = mailerAt(url.replace('smtp://', 'smtp://me:very-secret%21@'), IMPATIENT)
    const sending = await mailer.send(message(), going)
    expect(sending).toMatchObject({ ok: false, lasting: false, problem: expect.stringContaining('is wrong') })
    expect(JSON.stringify(sending)).not.toContain('very-secret')
  })

  it('without encryption never gets the credentials', async () => {
    let read = ''
    const url = await oddServer(socket => {
      socket.write('220 hello\r\n')
      socket.on('data', data => {
        read += String(data)
        socket.write('250-fine\r\n250 AUTH PLAIN LOGIN\r\n')
      })
    })
    // Another machine as far as the mailer knows: the same one by a name that is not its own.
    const elsewhere = url.replace('smtp://127.0.0.1', 'smtp://me:very-secret@127.0.0.1.nip.invalid')
    expect(await mailerAt(elsewhere, IMPATIENT).send(message(), going)).toMatchObject({ ok: false })
    expect(read).not.toContain('very-secret')
    expect(read).not.toContain(Buffer.from('\0me\0very-secret').toString('base64'))
  })
})
