import type { Logger } from 'pino'
import type { Db } from '#server/db/connect.ts'
import { databaseNow } from '#server/db/now.ts'
import type { Mailer } from '#server/mail/smtp.ts'
import { startInterval, type Role } from './interval.ts'
import { sendMail } from '#server/resources/notifications/send-mail.ts'

const INTERVAL_MS = 2000

/** Sends notifications by mail, apart from everything else: a mail server that hangs delays nothing. */
export function startMailWorker(
  db: Db,
  { log, ...effects }: { mailer: Mailer; public_url: string; window_ms: number; log: Logger },
): Role {
  const stopping = new AbortController()
  const sending = startInterval(INTERVAL_MS, log, async () => {
    const { sent } = await sendMail({
      ...effects,
      db,
      now: await databaseNow(db),
      signal: stopping.signal,
      onDead: (mail, problem) => log.error({ mail, problem }, 'mail failed'),
    })
    if (sent > 0) log.info({ sent }, 'mail sent')
  })
  return {
    async stop(graceMs) {
      stopping.abort()
      await sending.stop(graceMs)
    },
  }
}
