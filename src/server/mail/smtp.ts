import { createTransport } from 'nodemailer'

export interface Message {
  /** An address as the database has it, never a text to be parsed. */
  to: string
  subject: string
  text: string
  html: string
  /** The same for every try: a message that arrives twice is recognised. */
  message_id: string
  /** Where the recipient chooses which e-mails to get. */
  settings_url: string
}

/** `lasting`: the server will never accept this message; else it may later. */
export type Sending = { ok: true } | { ok: false; lasting: boolean; problem: string }

export interface Mailer {
  /** Resolves within a minute, whatever the server does; never throws. */
  send(mail: Message, signal: AbortSignal): Promise<Sending>
}

interface Limits {
  connect_ms: number
  /** Of a server that does not respond. */
  silence_ms: number
  whole_ms: number
}

const LIMITS: Limits = { connect_ms: 10_000, silence_ms: 20_000, whole_ms: 60_000 }

/** Sends through an SMTP server. Credentials are never sent unencrypted, except to this machine itself. */
export function smtpMailer(
  { smtp_url, mail_from }: { smtp_url: string; mail_from: string },
  limits: Limits = LIMITS,
): Mailer {
  const { hostname, username, password } = new URL(smtp_url)
  const secrets = [password, decodeURIComponent(password)].filter(text => text !== '')
  const transport = createTransport({
    url: smtp_url,
    connectionTimeout: limits.connect_ms,
    greetingTimeout: limits.connect_ms,
    socketTimeout: limits.silence_ms,
    ...(username !== '' && !isLoopback(hostname) && { requireTLS: true }),
    // A message holds only what was passed: no file and no address is ever read for it.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send(mail, signal) {
      try {
        await transport.sendMail({
          from: mail_from,
          to: { name: '', address: mail.to },
          subject: oneLine(mail.subject),
          text: mail.text,
          html: mail.html,
          messageId: mail.message_id,
          headers: {
            'Auto-Submitted': 'auto-generated',
            'X-Auto-Response-Suppress': 'All',
            'List-Unsubscribe': `<${mail.settings_url}>`,
          },
          signal: AbortSignal.any([signal, AbortSignal.timeout(limits.whole_ms)]),
        })
        return { ok: true }
      } catch (error) {
        return { ok: false, ...whyNot(error, secrets) }
      }
    },
  }
}

const isLoopback = (hostname: string) => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)

/** A header is one line, and reads in one direction. */
const oneLine = (text: string) =>
  text.replaceAll(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim()

/**
 * Only a refusal of this message or its recipient is permanent; refused credentials are corrected by an
 * operator.
 */
function whyNot(error: unknown, secrets: readonly string[]): { lasting: boolean; problem: string } {
  const { code = '', responseCode = 0, message = '' } = Object(error)
  const lasting = responseCode >= 500 && responseCode !== 503 && (code === 'EENVELOPE' || code === 'EMESSAGE')
  // A server may repeat what it was sent.
  const reply = secrets.reduce((text, secret) => text.replaceAll(secret, '…'), `${code} ${message}`)
  return { lasting, problem: oneLine(reply).slice(0, 300) }
}
