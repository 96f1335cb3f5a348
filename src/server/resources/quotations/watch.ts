import type { Delivery } from '#shared/api/quotations.ts'
import { todayIn } from '#shared/date-range.ts'
import { orderLabel } from '#shared/order-label.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { insertNotices, type NewNotice } from '#server/resources/notifications/queries.ts'
import { readPerson } from '#server/resources/people/queries.ts'
import { readDelivery } from './delivery.ts'
import { findQuotation } from './queries.ts'
import {
  freezeLine,
  listFinance,
  ordersToFreeze,
  ordersToLookAt,
  takeExpiring,
  takeOverdue,
  updateVerdict,
} from './watch-queries.ts'

/** Before an offer expires, its owner and finance are notified. */
const EXPIRES_WITHIN_DAYS = 3
/** After its end a line's delivery still changes for so long, as platforms correct themselves. */
const FREEZES_AFTER_DAYS = 30
/** What is not known by then will not become known. */
const GIVES_UP_AFTER_DAYS = 60
/** An order's pace is looked at this often. */
const LOOKS_EVERY_MS = 6 * 3600_000

/** Once an hour; safe to run twice at once, to be killed anywhere and to be repeated. */
export async function watchOrders(db: Db, { now, time_zone }: { now: Date; time_zone: string }) {
  const today = todayIn(time_zone, now)
  return {
    expiring: await noteExpiring(db, { today, now }),
    overdue: await noteOverdue(db, { today, now }),
    final: await freezeDelivery(db, { today, now }),
    looked_at: await lookAtPace(db, { today, now }),
  }
}

interface Watching {
  today: string
  now: Date
}

const plus = (day: string, days: number) => Temporal.PlainDate.from(day).add({ days }).toString()

async function noteExpiring(db: Db, { today, now }: Watching): Promise<number> {
  return await inTransaction(db, async trx => {
    const expiring = await takeExpiring(trx, { today, until: plus(today, EXPIRES_WITHIN_DAYS) })
    const finance = await listFinance(trx)
    const notices: NewNotice[] = []
    for (const order of expiring) {
      const detail = {
        document: orderLabel(order) ?? '',
        customer: order.advertiser_name,
        expires_on: order.valid_until,
        quotation: order.id,
      }
      const receivers = await receiversOf(trx, { ...order, quotation: order.id, finance })
      notices.push(...receivers.map(id => ({ kind: 'quotation_expires' as const, user_id: id, detail })))
    }
    await insertNotices(trx, notices, now)
    return expiring.length
  })
}

async function noteOverdue(db: Db, { today, now }: Watching): Promise<number> {
  return await inTransaction(db, async trx => {
    const overdue = await takeOverdue(trx, today)
    const finance = await listFinance(trx)
    const notices: NewNotice[] = []
    for (const payment of overdue) {
      const detail = {
        document: payment.number,
        customer: payment.advertiser_name,
        due_on: payment.due_on,
        payment: payment.id,
      }
      const receivers = await receiversOf(trx, { ...payment, finance })
      notices.push(...receivers.map(id => ({ kind: 'payment_overdue' as const, user_id: id, detail })))
    }
    await insertNotices(trx, notices, now)
    return overdue.length
  })
}

/** Finance, and the owner as long as they serve the advertiser. */
async function receiversOf(
  db: Db,
  {
    owner,
    quotation,
    finance,
  }: { owner: number | null; quotation: number | null; finance: readonly number[] },
): Promise<number[]> {
  const person = owner === null ? null : await readPerson(db, owner)
  if (person === null || quotation === null || finance.includes(person.id)) return [...finance]
  return (await findQuotation(db, person, quotation)) ? [person.id, ...finance] : [...finance]
}

async function freezeDelivery(db: Db, { today, now }: Watching): Promise<number> {
  const endedBefore = plus(today, -FREEZES_AFTER_DAYS)
  const orders = await ordersToFreeze(db, endedBefore)
  let frozen = 0
  for (const order of orders) {
    const { lines } = await readDelivery(db, order, today)
    for (const { line, end, spent } of lines) {
      const isOver = end < endedBefore && (spent !== null || end < plus(today, -GIVES_UP_AFTER_DAYS))
      if (!isOver) continue
      if (await freezeLine(db, { line, final_spent: spent, now })) frozen++
    }
  }
  return frozen
}

async function lookAtPace(db: Db, { today, now }: Watching): Promise<number> {
  const orders = await ordersToLookAt(db, new Date(now.getTime() - LOOKS_EVERY_MS))
  for (const order of orders) {
    const delivery = await readDelivery(db, order, today)
    const isOver = delivery.lines.every(({ end }) => end <= delivery.through)
    await updateVerdict(db, {
      id: order.id,
      verdict: isOver ? null : verdictOf(delivery),
      verdict_at: isOver ? NEVER_AGAIN : now,
    })
  }
  return orders.length
}

/** Of the running lines the first that is not on pace; what is over cannot be mended. */
function verdictOf({ lines, through }: Delivery) {
  const verdicts = lines.flatMap(({ verdict, end }) => (verdict !== null && end > through ? [verdict] : []))
  return verdicts.find(verdict => verdict !== 'on_pace') ?? verdicts[0] ?? null
}

/** The lines of an order in force do not change any more. */
const NEVER_AGAIN = new Date('9999-12-31T00:00:00Z')
