import { mayReach } from '#shared/access.ts'
import { OverviewOrders } from '#shared/api/overview.ts'
import { todayIn } from '#shared/date-range.ts'
import { orderLabel } from '#shared/order-label.ts'
import { route } from '#server/http/route.ts'
import { countOverdue, monthToClose, ordersOffPace } from './orders-queries.ts'

const readOrders = route('GET', '/api/overview/orders/', {
  summary:
    'Get what of your advertisers’ orders needs attention: overdue payments, orders off pace, and the month to close.',
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
      month_to_close: mayReach(user, 'director_or_finance') ? await monthToClose(db, today) : null,
    }
  },
})

export const overviewOrderRoutes = [readOrders]
