import { CreatePayment, Payment } from '#shared/api/payments.ts'
import { todayIn } from '#shared/date-range.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import { lockPaymentsOf } from '#server/resources/payments/queries.ts'
import { showPayment } from '#server/resources/payments/visible.ts'
import { ask, openOf } from './order-payments.ts'
import { findQuotation, lockRevisions } from './queries.ts'
import { stateOf } from './rules.ts'

const create = route('POST', '/api/ad_insertion/payment/', {
  summary: 'Ask again for what voided payments have left open of an accepted order.',
  level: 'director_or_finance',
  body: CreatePayment,
  reply: Payment,
  status: 201,
  async run({ body: { quotation: id, due_on }, user, db, now, effects: { settings } }) {
    const today = todayIn(settings.time_zone, now)
    const visible = await findQuotation(db, user, id)
    if (!visible) throw refuse('invalid', { fields: { quotation: ['field_not_available'] } })
    const revisions = await lockRevisions(db, visible)
    const order = revisions.find(each => each.id === id)
    if (order?.status !== 'accepted')
      throw refuse('state_not_allowed', {
        extra: { state: stateOf(order ?? visible, today), allowed: [] },
      })
    const payments = await lockPaymentsOf(
      db,
      revisions.map(each => each.id),
    )
    const standing = payments.filter(({ status }) => status !== 'void')
    const part = openOf(order, standing)
    const made = await ask(db, order, { part, due_on, actor: user.id, today, now })
    if (made === null) throw refuse('order_covered')
    return await showPayment(db, made, { user, today })
  },
})

export const orderPaymentRoutes = [create]
