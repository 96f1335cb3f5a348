import { Link } from '#shared/api/links.ts'
import { IdPath } from '#shared/api/list.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import { writeAudit } from '#server/resources/audit/queries.ts'
import { countCheck } from './check-queries.ts'
import { lockLink, setCheck } from './queries.ts'
import { showLink } from './show-link.ts'

export const checkRoute = route('POST', '/api/ad/:id/check/', {
  summary:
    'Follow a campaign link to its end, over redirects, and keep what came of it; ten times a minute at most. 409 `link_checks_off` where the installation follows none.',
  level: 'staff',
  kind: 'follow',
  transaction: 'own',
  params: IdPath,
  reply: Link,
  async run({ params: { id }, user, db, now, effects: { followLink } }) {
    if (!followLink) throw refuse('link_checks_off')
    const link = await inTransaction(db, async trx => {
      const { name, link: address } = await showLink(trx, user, id)
      const waitSeconds = await countCheck(trx, user.id, now)
      if (waitSeconds !== null) throw refuse('rate_limited', { retry_after_s: waitSeconds })
      // Before anything is sent to the host: whatever becomes of the link, the trail says who has called it.
      const line = { actor: user.id, action: 'link.check', object: 'link', object_id: id, detail: { name } }
      await writeAudit(trx, line, now)
      return address
    })
    const followed = await followLink(link)
    return await inTransaction(db, async trx => {
      const row = await lockLink(trx, user, id)
      if (!row) throw refuse('not_found')
      // Changed meanwhile: what came of it says nothing about the new address.
      if (row.link !== link) throw refuse('conflict', { extra: { link: await showLink(trx, user, id) } })
      await setCheck(trx, id, { ...followed, checked_at: now.toISOString() })
      return await showLink(trx, user, id)
    })
  },
})
