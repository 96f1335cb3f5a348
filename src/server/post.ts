import type { Logger } from 'pino'
import type { Db } from '#server/db/connect.ts'
import { databaseNow } from '#server/db/now.ts'
import type { Mailer } from '#server/mail/smtp.ts'
import { repeatedly, type Role } from '#server/repeatedly.ts'
import { sendMail } from '#server/resources/notifications/send-mail.ts'

const LOOK_MS = 2000

/** Sends what people are told of by mail; apart from everything else, so that a mail server that hangs holds up nobody. */
export function startPost(
  db: Db,
  { log, ...effects }: { mailer: Mailer; public_url: string; window_ms: number; log: Logger },
): Role {
  const stopping = new AbortController()
  const sending = repeatedly(LOOK_MS, log, async () => {
    const { sent } = await sendMail({
      ...effects,
      db,
      now: await databaseNow(db),
      signal: stopping.signal,
      onDead: (mail, problem) => log.error({ mail, problem }, 'a mail cannot be sent'),
    })
    if (sent > 0) log.info({ sent }, 'mail was sent')
  })
  return {
    async stop(graceMs) {
      stopping.abort()
      await sending.stop(graceMs)
    },
  }
}
