import type { Delivery } from '#shared/api/quotations.ts'
import { deliveryOf, paceOf } from '#shared/billing/delivery.ts'
import { shareOut } from '#shared/billing/shares.ts'
import { stepOf, sumOf } from '#shared/billing/step.ts'
import type { Db } from '#server/db/connect.ts'
import { ratesOf } from '#server/resources/insight-settings/rates.ts'
import { baseCurrency, readRates } from '#server/resources/insight-settings/rate-queries.ts'
import {
  accountsOfLines,
  costOfDays,
  costOfMonths,
  moneyByMonth,
  type DeliveryAccount,
} from './delivery-queries.ts'
import {
  daysByMonth,
  inCurrency,
  monthsOf,
  throughOf,
  type DeliveryCode,
  type MonthPart,
} from './delivery-rules.ts'
import { listLines, type LineRow } from './queries.ts'

interface Order {
  id: number
  currency: string
}

/** What a line has spent: by month where that is known, and in all. */
interface Spent {
  spent: bigint | null
  months: ReadonlyMap<string, bigint | null>
  code: DeliveryCode
}

/** How an order is delivered until yesterday; reads the spending of accounts, whoever may see it. */
export async function readDelivery(db: Db, order: Order, today: string): Promise<Delivery> {
  const lines = await listLines(db, order.id)
  const accounts = Map.groupBy(
    await accountsOfLines(
      db,
      lines.map(({ id }) => id),
    ),
    ({ line }) => line,
  )
  const yesterday = Temporal.PlainDate.from(today).subtract({ days: 1 }).toString()
  const running = lines.flatMap(({ id, end }) => (accounts.get(id) ?? []).map(account => ({ end, account })))
  const through = throughOf(running, yesterday)
  const spent = await spentOf(db, order, { lines, accounts, through, today })
  const delivered = lines.map(line =>
    deliveredLine(line, { order, through, spent: spent.get(line.id) ?? NOTHING }),
  )
  return {
    currency: order.currency,
    through,
    lines: delivered.map(({ line }) => line),
    total: totalOf(delivered),
    months: await monthsOfOrder(db, order, { lines, spent, through }),
  }
}

const NOTHING: Spent = { spent: 0n, months: new Map(), code: null }

type Lines = readonly LineRow[]
type Accounts = ReadonlyMap<number, readonly DeliveryAccount[]>

async function spentOf(
  db: Db,
  { currency }: Order,
  { lines, accounts, through, today }: { lines: Lines; accounts: Accounts; through: string; today: string },
): Promise<Map<number, Spent>> {
  const parts = lines.flatMap(line =>
    (accounts.get(line.id) ?? []).flatMap(account =>
      monthsOf(line, account, through).map(part => ({ ...part, line: line.id, currency: account.currency })),
    ),
  )
  const costs = await costsOf(db, parts)
  const rows = parts.some(part => part.currency !== currency) ? await readRates(db, today.slice(0, 7)) : []
  const base = await baseCurrency(db)
  const converted = parts.map((part, index) => {
    const cost = costs[index] ?? null
    const { rates } = ratesOf(rows, { month: part.month, today, base })
    const amount = cost === null ? null : inCurrency(cost, { from: part.currency, to: currency, rates })
    const code: DeliveryCode = cost === null ? 'days_missing' : amount === null ? 'rate_missing' : null
    return { ...part, amount, code }
  })
  const ofLine = Map.groupBy(converted, ({ line }) => line)
  return new Map(
    lines.map(line => {
      const own = ofLine.get(line.id) ?? []
      const isTyped = (accounts.get(line.id) ?? []).length === 0
      return [line.id, isTyped ? typed(line, { currency, through }) : summed(own)]
    }),
  )
}

/** What each part has cost; null: not known. */
async function costsOf(db: Db, parts: readonly MonthPart[]): Promise<(bigint | null)[]> {
  const byDay = parts.filter(({ known }) => known === 'days')
  const byMonth = parts.filter(({ known }) => known === 'month')
  const days = new Map((await costOfDays(db, byDay)).map(({ at, cost }) => [byDay[at], cost]))
  const months = await costOfMonths(db, byMonth)
  const whole = new Map(months.map(({ ad_account, month, cost }) => [`${ad_account} ${month}`, cost]))
  return parts.map(part => {
    if (part.known === 'nowhere') return null
    const cost =
      part.known === 'days'
        ? days.has(part)
          ? days.get(part)
          : '0'
        : whole.get(`${part.ad_account} ${part.month}`)
    return cost === null || cost === undefined ? null : BigInt(cost)
  })
}

function summed(parts: readonly { month: string; amount: bigint | null; code: DeliveryCode }[]): Spent {
  const months = new Map<string, bigint | null>()
  for (const { month, amount } of parts) {
    const before = months.has(month) ? (months.get(month) ?? null) : 0n
    months.set(month, before === null || amount === null ? null : before + amount)
  }
  const code = parts.find(part => part.code !== null)?.code ?? null
  return { spent: code === null ? sumOf(parts.map(({ amount }) => amount ?? 0n)) : null, months, code }
}

/** A typed figure is spread over the days until now. */
function typed(line: LineRow, { currency, through }: { currency: string; through: string }): Spent {
  const days = daysByMonth(line, through)
  if (days.size === 0) return NOTHING
  if (line.typed_spent === null)
    return { spent: null, months: new Map([...days.keys()].map(month => [month, null])), code: null }
  const spent = BigInt(line.typed_spent)
  return { spent, months: spread(spent, days, currency), code: null }
}

function spread(amount: bigint, days: ReadonlyMap<string, number>, currency: string): Map<string, bigint> {
  const shares = shareOut(amount, [...days.values()].map(BigInt), stepOf(currency))
  return new Map([...days.keys()].map((month, index) => [month, shares[index] ?? 0n]))
}

function deliveredLine(
  line: LineRow,
  { order, through, spent: { spent, code } }: { order: Order; through: string; spent: Spent },
) {
  const wasFrozen = line.final_at !== null && line.final_spent !== null
  const known = wasFrozen ? BigInt(line.final_spent ?? 0) : spent
  const { id, media, start, end } = line
  const delivery = deliveryOf({
    media: BigInt(media),
    start,
    end,
    yesterday: through,
    spent: known,
    currency: order.currency,
  })
  return {
    spent: known,
    delivery,
    line: {
      line: id,
      media,
      start,
      end,
      ...delivery,
      spent: toNumber(known),
      expected: Number(delivery.expected),
      forecast: toNumber(delivery.forecast),
      is_final: wasFrozen,
      code: wasFrozen ? null : code,
    },
  }
}

const toNumber = (amount: bigint | null) => (amount === null ? null : Number(amount))

/** Of all lines; what is not known of one that has begun is not known of all. */
function totalOf(lines: readonly ReturnType<typeof deliveredLine>[]): Delivery['total'] {
  const begun = lines.filter(({ delivery }) => delivery.days_over > 0)
  const isKnown = begun.every(({ spent }) => spent !== null)
  const spent = isKnown ? sumOf(begun.map(each => each.spent ?? 0n)) : null
  const expected = sumOf(begun.map(({ delivery }) => delivery.expected))
  // Lines that have not begun will be delivered as they were ordered.
  const forecasts = lines.map(({ delivery, line }) =>
    delivery.days_over > 0 ? delivery.forecast : BigInt(line.media),
  )
  const forecast = isKnown && begun.length > 0 ? sumOf(forecasts.map(each => each ?? 0n)) : null
  return {
    media: lines.reduce((sum, { line }) => sum + line.media, 0),
    spent: toNumber(spent),
    expected: Number(expected),
    ...paceOf(spent, expected),
    forecast: toNumber(forecast),
  }
}

async function monthsOfOrder(
  db: Db,
  { id, currency }: Order,
  { lines, spent, through }: { lines: Lines; spent: ReadonlyMap<number, Spent>; through: string },
): Promise<Delivery['months']> {
  const ordered = new Map<string, bigint>()
  const delivered = new Map<string, bigint | null>()
  for (const line of lines) {
    for (const [month, amount] of spread(BigInt(line.media), daysByMonth(line, line.end), currency))
      ordered.set(month, (ordered.get(month) ?? 0n) + amount)
    for (const [month, amount] of spent.get(line.id)?.months ?? []) {
      const before = delivered.has(month) ? (delivered.get(month) ?? null) : 0n
      delivered.set(month, before === null || amount === null ? null : before + amount)
    }
  }
  const money = new Map((await moneyByMonth(db, id)).map(row => [row.month, row]))
  const running = through.slice(0, 7)
  const all = [...new Set([...ordered.keys(), ...delivered.keys(), ...money.keys()])].toSorted()
  return all.map(month => ({
    month,
    ordered: Number(ordered.get(month) ?? 0n),
    delivered: delivered.has(month) ? toNumber(delivered.get(month) ?? null) : month > running ? null : 0,
    asked: Number(money.get(month)?.requested ?? 0),
    received: Number(money.get(month)?.received ?? 0),
  }))
}
