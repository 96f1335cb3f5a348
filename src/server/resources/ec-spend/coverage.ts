import type { Statement } from '#shared/api/ec-spend.ts'
import { orderLabel } from '#shared/order-label.ts'
import type { Db } from '#server/db/connect.ts'
import { coveringOrders, type BilledChannel } from './coverage-queries.ts'
import type { LiveStatement } from './live.ts'

/** By statement, the order that already asks for what it has. */
export async function coveringByStatement(db: Db, month: string, statements: readonly LiveStatement[]) {
  const orders = await coveringOrders(db, month, billedChannels(statements))
  const found = new Map(orders.map(order => [`${order.advertiser} ${order.currency}`, order]))
  return (advertiser: number, currency: string): Statement['covered_by'] => {
    const order = found.get(`${advertiser} ${currency}`)
    return order ? { id: order.quotation, label: orderLabel(order) ?? '' } : null
  }
}

/** The channels that statements charge something for. */
export const billedChannels = (statements: readonly LiveStatement[]): BilledChannel[] =>
  statements.flatMap(({ customer, currency, lines }) =>
    lines
      .filter(({ billed, fee }) => billed !== 0n || fee !== 0n)
      .map(({ channel }) => ({ advertiser: customer.id, currency, channel })),
  )
