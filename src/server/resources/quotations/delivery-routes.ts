import { IdPath } from '#shared/api/list.ts'
import { Delivery } from '#shared/api/quotations.ts'
import { todayIn } from '#shared/date-range.ts'
import { readingEveryRow } from '#server/db/reader.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import { readDelivery } from './delivery.ts'
import { findQuotation } from './queries.ts'
import { QUOTATIONS } from './routes.ts'
import { refuseState } from './visible.ts'
import { stateOf } from './rules.ts'

const delivery = route('GET', `${QUOTATIONS}:id/delivery/`, {
  summary:
    'Get how an order is delivered: spent, expected, pace and forecast by line; ordered, delivered, asked for and received by month.',
  level: 'staff',
  params: IdPath,
  reply: Delivery,
  async run({ params: { id }, user, db, now, effects: { settings } }) {
    const today = todayIn(settings.time_zone, now)
    const row = await findQuotation(db, user, id)
    if (!row) throw refuse('not_found')
    if (row.accepted_on === null) throw refuseState(user, { state: stateOf(row, today), has_draft: false })
    // What an order's accounts have spent is the order's, whoever may use the accounts.
    return await readingEveryRow(db, () => readDelivery(db, row, today))
  },
})

export const deliveryRoutes = [delivery]
