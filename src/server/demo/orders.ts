import type { Person } from '#shared/access.ts'
import { CreateQuotation } from '#shared/api/quotations.ts'
import { todayIn } from '#shared/date-range.ts'
import type { Trx } from '#server/db/transaction.ts'
import { lockPaymentsOf, updatePayment } from '#server/resources/payments/queries.ts'
import { insertReceipt } from '#server/resources/payments/receipt-queries.ts'
import { settlePayment } from '#server/resources/payments/settle.ts'
import { readPerson } from '#server/resources/people/queries.ts'
import { acceptQuotation } from '#server/resources/quotations/accept.ts'
import { checkDraft, newDraft } from '#server/resources/quotations/draft.ts'
import {
  insertQuotation,
  lockRevisions,
  replaceLines,
  updateQuotation,
} from '#server/resources/quotations/queries.ts'
import { sendQuotation } from '#server/resources/quotations/send.ts'
import { reviseQuotation } from '#server/resources/quotations/write-again.ts'
import { demoOrders, type DemoLine, type DemoOrder } from './order-list.ts'

export interface OrderSeed {
  advertisers: ReadonlyMap<string, number>
  people: ReadonlyMap<string, number>
  time_zone: string
  now: Date
}

/**
 * Orders in every state with their payments, as people would have written them over the last weeks, in the
 * order of the days: numbers rise with them. Documents are printed when somebody asks for them.
 */
export async function insertOrders(trx: Trx, seed: OrderSeed): Promise<void> {
  const accounts = await readAccounts(trx)
  const ids = new Map<DemoOrder, number>()
  for (const order of demoOrders.toSorted((one, other) => (other.sent ?? -1) - (one.sent ?? -1)))
    ids.set(order, await write(trx, order, { ...seed, accounts }))
  for (const order of demoOrders.toSorted((one, other) => (other.accepted ?? 0) - (one.accepted ?? 0)))
    await carryOut(trx, order, { ...seed, id: ids.get(order) ?? 0 })
}

type Accounts = ReadonlyMap<string, number[]>

async function readAccounts(trx: Trx): Promise<Accounts> {
  const rows = await trx
    .selectFrom('ad_account')
    .select(['id', 'channel', 'advertiser'])
    .orderBy('id')
    .execute()
  const groups = Map.groupBy(rows, ({ channel, advertiser }) => `${advertiser} ${channel}`)
  return new Map([...groups].map(([key, group]) => [key, group.map(({ id }) => id)]))
}

const plus = (day: string, days: number) => Temporal.PlainDate.from(day).add({ days }).toString()

/** The moment and the day so many days ago. */
function ago({ now, time_zone }: Pick<OrderSeed, 'now' | 'time_zone'>, days: number) {
  const at = new Date(now.getTime() - days * 24 * 3600_000)
  return { now: at, today: todayIn(time_zone, at) }
}

async function personOf(trx: Trx, order: DemoOrder, { people }: OrderSeed): Promise<Person> {
  const person = await readPerson(trx, people.get(order.owner) ?? 0)
  if (!person) throw new Error(`the demo has no ${order.owner}`)
  return person
}

async function write(trx: Trx, order: DemoOrder, seed: OrderSeed & { accounts: Accounts }): Promise<number> {
  const user = await personOf(trx, order, seed)
  const then = ago(seed, order.sent ?? 1)
  const advertiser = seed.advertisers.get(order.advertiser) ?? 0
  const { today } = ago(seed, 0)
  const lineOf = ({ from, to, amount, channel, ...line }: DemoLine) => ({
    ...line,
    channel: channel ?? null,
    start: plus(today, from),
    end: plus(today, to),
    budget: (amount ?? 0) * 1_000_000,
    accounts: channel ? (seed.accounts.get(`${advertiser} ${channel}`) ?? []).slice(0, 2) : [],
  })
  const body = CreateQuotation.parse({
    advertiser,
    title: order.title,
    ...order.head,
    ...(order.valid !== undefined && { valid_until: plus(today, order.valid) }),
    schedule: (order.schedule ?? []).map(([share, after]) => ({ share, after })),
    lines: order.lines.map(lineOf).map(({ pace: _pace, ...line }) => line),
  })
  const draft = await newDraft(trx, body, { user, today: then.today })
  const { fields, lines } = await checkDraft(trx, draft, then.today)
  const id = await insertQuotation(trx, { ...fields, created_by: user.id }, then.now)
  const typed = lines.map((line, index) => ({ ...line, typed_spent: typedSpent(line, order.lines[index]) }))
  await replaceLines(trx, id, typed)
  if (order.sent !== undefined) await send(trx, id, { user, ...then })
  return id
}

/** What a line without accounts has delivered so far, at its pace. */
function typedSpent({ media }: { media: number }, line: DemoLine | undefined): number | null {
  if (line?.pace === undefined) return null
  const [over, all] = [Math.min(Math.max(-line.from, 0), line.to - line.from + 1), line.to - line.from + 1]
  return Math.round(((media / 1_000_000) * over * line.pace) / all) * 1_000_000
}

interface Doing {
  user: Person
  now: Date
  today: string
}

async function send(trx: Trx, id: number, doing: Doing) {
  const { row, others } = await locked(trx, id)
  await sendQuotation(trx, { row, others, pdf: null, ...doing })
}

async function locked(trx: Trx, id: number) {
  const { number } = await trx
    .selectFrom('quotation')
    .select('number')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const rows = await lockRevisions(trx, { id, number })
  const row = rows.find(each => each.id === id)
  if (!row) throw new Error(`the demo has no order ${id}`)
  return { row, others: rows.filter(each => each.id !== id) }
}

/** What became of it. */
async function carryOut(trx: Trx, order: DemoOrder, { id, ...seed }: OrderSeed & { id: number }) {
  const user = await personOf(trx, order, seed)
  if (order.ended) {
    const { now } = ago(seed, order.ended.days)
    await updateQuotation(trx, id, { ...order.ended.as, ended_at: now, now })
  }
  if (order.accepted === undefined) return
  await accept(trx, id, { user, ...ago(seed, order.accepted) })
  await settle(trx, id, { order, user, seed })
  if (order.revised === undefined) return
  const then = { user, ...ago(seed, order.revised) }
  const { row, others } = await locked(trx, id)
  const revision = await reviseQuotation(trx, { row, others, user, now: then.now })
  await send(trx, revision, then)
  await accept(trx, revision, then)
}

async function accept(trx: Trx, id: number, { user, now, today }: Doing) {
  const { row, others } = await locked(trx, id)
  const revision = { state: 'sent', has_draft: false } as const
  await acceptQuotation(
    trx,
    { row, others, state: 'sent', revision },
    { acceptance: { accepted_on: today, accepted_by: row.parties?.buyer.name ?? '' }, user, today, now },
  )
}

/** What finance has noted of its payments, one after the other. */
async function settle(
  trx: Trx,
  id: number,
  { order, user, seed }: { order: DemoOrder; user: Person; seed: OrderSeed },
) {
  const payments = await lockPaymentsOf(trx, [id])
  for (const [index, { invoice, received, reason, due }] of (order.payments ?? []).entries()) {
    const payment = payments[index]
    if (!payment) continue
    const { now, today } = ago(seed, received?.days ?? 0)
    const dueOn = due === undefined ? payment.due_on : plus(ago(seed, 0).today, due)
    await updatePayment(trx, payment.id, {
      due_on: dueOn,
      ...(invoice !== undefined && { invoice_number: invoice, invoice_on: payment.issue_on }),
      ...(reason !== undefined && { status: 'void', reason }),
      now,
    })
    if (!received) continue
    const bankFee = received.bank_fee ?? 0
    const amount =
      Math.round((payment.amount * received.share) / 100_000_000) * 1_000_000 - bankFee * 1_000_000
    await insertReceipt(
      trx,
      {
        payment: payment.id,
        on: today,
        amount,
        bank_fee: bankFee * 1_000_000,
        method: 'transfer',
        reference: '',
        created_by: user.id,
      },
      now,
    )
    await settlePayment(trx, payment, now)
  }
}
