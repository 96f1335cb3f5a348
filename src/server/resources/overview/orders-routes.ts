import { OverviewOrders } from '#shared/api/overview.ts'
import { todayIn } from '#shared/date-range.ts'
import { orderLabel } from '#shared/order-label.ts'
import { route } from '#server/http/route.ts'
import { countOverdue, ordersOffPace } from './orders-queries.ts'

const readOrders = route('GET', '/api/overview/orders/', {
  summary: 'Get what of your advertisers’ orders needs attention: overdue payments, and orders off pace.',
  level: 'staff',
  reply: OverviewOrders,
  async run({ user, db, now, effects: { settings } }) {
    const today = todayIn(settings.time_zone, now)
    const orders = await ordersOffPace(db, user)
    return {
      overdue: await countOverdue(db, user, today),
      off_pace: orders.map(({ verdict, ...order }) => ({
        ...order,
        label: orderLabel(order) ?? '',
        verdict: verdict === 'over' ? ('over' as const) : ('under' as const),
      })),
    }
  },
})

export const overviewOrderRoutes = [readOrders]
