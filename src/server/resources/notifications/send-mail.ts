import { isInternal } from '#shared/access.ts'
import { notices } from '#shared/notices.ts'
import { backoffMs } from '#server/backoff.ts'
import type { Db } from '#server/db/connect.ts'
import type { Mailer } from '#server/mail/smtp.ts'
import { composeMessage } from './compose.ts'
import {
  dropUnwanted,
  findReceiver,
  gatherMail,
  settleMail,
  claimMail,
  type Receiver,
  type ClaimedMail,
} from './mail-queries.ts'
import { noticesOfMail, presentNotice } from './queries.ts'
import { listSpecialists } from './specialist-queries.ts'

export interface PostEffects {
  db: Db
  mailer: Mailer
  /** By the database's clock. */
  now: Date
  /** Without a slash at the end. */
  public_url: string
  /** How long notifications are gathered into one e-mail. */
  window_ms: number
  /** Aborted when the process shuts down: what is not sent then is retried. */
  signal: AbortSignal
  /** An e-mail without recipient. */
  onDead: (mail: string, problem: string) => void
}

const AT_ONCE = 5
/** With its pauses an e-mail is tried for about seven hours. */
const MOST_TRIES = 12

/**
 * Puts notifications into e-mails and sends those that are due. It may run in any number of processes and die
 * anywhere: an e-mail is sent by one at a time, and twice only when its sender dies after the server has
 * taken it; both then have one Message-ID.
 */
export async function sendMail(effects: PostEffects): Promise<{ sent: number }> {
  const { db, now, signal } = effects
  await dropUnwanted(db, now)
  await gatherMail(db, effects)
  let sent = 0
  while (!signal.aborted) {
    const claimed = await claimMail(db, { now, limit: AT_ONCE })
    const outcomes = await Promise.all(claimed.map(mail => sendOne(mail, effects)))
    sent += outcomes.filter(Boolean).length
    if (claimed.length < AT_ONCE) break
  }
  return { sent }
}

async function sendOne(mail: ClaimedMail, { db, mailer, now, public_url, signal, onDead }: PostEffects) {
  const message = await messageOf(mail, { db, public_url })
  if (!message) {
    await settleMail(db, mail, { state: 'dropped', problem: null, now })
    return false
  }
  const sending = await mailer.send(message, signal)
  if (sending.ok) {
    await settleMail(db, mail, { state: 'sent', problem: null, now })
    return true
  }
  const { problem } = sending
  if (sending.lasting || mail.tries >= MOST_TRIES) {
    await settleMail(db, mail, { state: 'dead', problem, now })
    onDead(mail.id, problem)
  } else {
    const due_at = new Date(now.getTime() + backoffMs(mail.tries, PAUSES))
    await settleMail(db, mail, { state: 'waiting', problem, due_at, now })
  }
  return false
}

/**
 * Composed at the time of sending: in the recipient's language, and only of what they may still see. null:
 * there is nothing left to send, or no recipient.
 */
async function messageOf(mail: ClaimedMail, { db, public_url }: Pick<PostEffects, 'db' | 'public_url'>) {
  const receiver = await findReceiver(db, mail.user_id)
  if (!receiver) return null
  const pending = await noticesOfMail(db, receiver, mail.id)
  const selected = pending.filter(notice => isSelected(receiver, notice.kind)).map(presentNotice)
  if (selected.length === 0) return null
  return {
    ...composeMessage(selected, {
      language: receiver.language,
      audience: isInternal(receiver) ? 'internal' : 'external',
      specialists: await listSpecialists(db, receiver),
      public_url,
    }),
    to: receiver.email,
    message_id: `<${mail.id}@${new URL(public_url).hostname}>`,
  }
}

const isSelected = ({ mail_notices }: Receiver, kind: keyof typeof notices) =>
  notices[kind].mail === 'always' || mail_notices === 'all' || notices[kind].mail === mail_notices

/** 1, 2, 4 … 60 minutes. */
const PAUSES = { first_ms: 60_000, longest_ms: 3600_000 }
