import { z } from 'zod'
import { IdPath } from '#shared/api/list.ts'
import { CaughtMail, Mailbox, MailboxQuery, OpenedMail } from '#shared/api/mailbox.ts'
import type { ApiSettings } from '#server/http/effects.ts'
import { pageOf } from '#server/http/list.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import type { SignedInUser } from '#server/http/session.ts'

const PATH = '/api/demo/mailbox/'

const list = route('GET', PATH, {
  summary: 'List the mails that the demo has sent to you; for superusers, to anybody. 404 outside demo mode.',
  level: 'external_user',
  query: MailboxQuery,
  reply: Mailbox,
  transaction: 'own',
  async run({ query, user, request, effects }) {
    const { messages } = CaughtMails.parse(await fetchMailbox(effects.settings, 'messages'))
    const { search = '', limit, offset, ordering } = query
    const found = messages.filter(
      mail => isFor(user, mail) && mail.subject.toLowerCase().includes(search.toLowerCase()),
    )
    const sorted = ordering === 'id' ? found.toReversed() : found
    return pageOf(request.url, query, { count: found.length, results: sorted.slice(offset, offset + limit) })
  },
})

const read = route('GET', `${PATH}:id/`, {
  summary: 'Get a mail of the demo, as text and as HTML.',
  level: 'external_user',
  params: IdPath,
  reply: OpenedMail,
  transaction: 'own',
  async run({ params, user, effects }) {
    const { data: mail } = OpenedMail.safeParse(await fetchMailbox(effects.settings, `messages/${params.id}`))
    if (!mail || !isFor(user, mail)) throw refuse('not_found')
    return mail
  },
})

const CaughtMails = z.object({ messages: z.array(CaughtMail) })

async function fetchMailbox({ mailbox_url }: ApiSettings, what: string): Promise<unknown> {
  if (mailbox_url === null) throw refuse('not_found')
  const response = await fetch(`${mailbox_url}/${what}`, { signal: AbortSignal.timeout(5000) })
  return await response.json()
}

const isFor = ({ identity, email }: SignedInUser, { receivers }: CaughtMail) =>
  identity === 'superuser' ||
  (email !== null && receivers.some(receiver => receiver.toLowerCase() === email.toLowerCase()))

export const mailboxRoutes = [list, read]
