import type { EcSpend, EcSpendRow } from '#shared/api/ec-spend.ts'
import type { SpendChannel } from '#shared/api/money.ts'
import { channels, type measures } from './search.ts'

export type Measure = (typeof measures)[number]

/** Why an amount is not known; depends: on another channel of the same statement. */
export type Gap = NonNullable<EcSpendRow['code']> | 'depends'

/** What is known of an amount. */
export interface Cell {
  /** Of the parts that are known; null: of none. */
  amount: bigint | null
  /** Why something of it is not; null: it is complete. */
  gap: Gap | null
}

type Kind = 'advertiser' | 'channel' | 'account'

/** What one advertiser, channel or account amounts to by month. A month without a cell has nothing. */
export interface Line {
  key: string
  kind: Kind
  advertiser: number | null
  advertiser_name: string | null
  channel: SpendChannel | null
  /** null: of no account, such as adjustments. */
  account_name: string | null
  cells: ReadonlyMap<string, Cell>
  sum: Cell
  /** What it opens into. */
  parts: readonly Line[]
}

/** The currencies in which something is billed: the base currency first, then those of the most months. */
export function currenciesOf({ totals, base_currency }: Pick<EcSpend, 'totals' | 'base_currency'>): string[] {
  const billed = [...Map.groupBy(totals, total => total.billing_currency)]
  const isBase = (currency: string) => Number(currency === base_currency)
  return billed
    .toSorted(([a, ofA], [b, ofB]) => isBase(b) - isBase(a) || ofB.length - ofA.length || (a < b ? -1 : 1))
    .map(([currency]) => currency)
}

interface LineRequest {
  currency: string
  measure: Measure
  group: Kind
}

/** The lines of one billing currency, the largest first. */
export function linesOf(rows: readonly EcSpendRow[], { currency, measure, group }: LineRequest): Line[] {
  const billed = rows
    .filter(row => row.billing_currency === currency)
    .map(row => ({ row, cell: cellOf(row, row[measure]) }))
  if (group === 'account') return bySize(grouped(billed, 'account'))
  if (group === 'channel')
    return bySize(grouped(billed, 'channel', parts => bySize(grouped(parts, 'advertiser'))))
  return bySize(grouped(billed, 'advertiser', parts => byChannel(grouped(parts, 'channel'))))
}

/** The accounts of an advertiser in one channel, where the page asked for accounts. */
export const accountLines = (
  rows: readonly EcSpendRow[],
  { channel, ...request }: Omit<LineRequest, 'group'> & { channel: SpendChannel | null },
): Line[] =>
  linesOf(
    rows.filter(row => row.channel === channel),
    { ...request, group: 'account' },
  )

/** Of accounts of nobody, by the currency of the accounts: what they cost, since nobody is billed. */
export function linesOfNobody(rows: readonly EcSpendRow[]): (Line & { currency: string })[] {
  const unbilled = rows.filter(row => row.billing_currency === null)
  return [...Map.groupBy(unbilled, row => row.currency)].flatMap(([currency, group]) => {
    const costs = group.map(row => ({ row, cell: cellOf(row, row.invoiced ?? row.spend) }))
    const lines = grouped(costs, 'advertiser', parts => byChannel(grouped(parts, 'channel')))
    return lines.map(line => ({ ...line, key: `nobody ${currency}`, currency }))
  })
}

/**
 * What all lines of a currency amount to: where everything is known, the server's own sum. The server leaves
 * out what is not known completely; here its known part counts as in the lines, and the sum says so.
 */
export function totalLine(rows: readonly EcSpendRow[], currency: string, measure: Measure) {
  const ofCurrency = rows.filter(row => row.billing_currency === currency)
  const months = Map.groupBy(ofCurrency, ({ month }) => month)
  const cells = new Map(
    [...months].map(([month, of]) => [month, sumOf(of.map(row => cellOf(row, row[measure])))]),
  )
  return { cells, sum: sumOf([...cells.values()]) }
}

/** What something has changed by, as a share; null where there is nothing to compare with. */
export function changeOf(now: Cell | undefined, before: Cell | undefined): number | null {
  if (!now || !before || now.gap !== null || before.gap !== null) return null
  if (now.amount === null || before.amount === null || before.amount <= 0n) return null
  return Number(((now.amount - before.amount) * 100_000n) / before.amount) / 100_000
}

export function sumOf(cells: readonly Cell[]): Cell {
  const known = cells.map(({ amount }) => amount).filter(amount => amount !== null)
  return {
    amount: known.length === 0 ? null : known.reduce((sum, amount) => sum + amount, 0n),
    gap: cells.find(({ gap }) => gap !== null)?.gap ?? null,
  }
}

interface Part {
  row: EcSpendRow
  cell: Cell
}

const cellOf = ({ code }: EcSpendRow, amount: number | null): Cell => ({
  amount: amount === null ? null : BigInt(amount),
  gap: amount === null ? (code ?? 'depends') : null,
})

const keys: Record<Kind, (row: EcSpendRow) => string> = {
  advertiser: ({ advertiser }) => `${advertiser}`,
  channel: ({ channel }) => `${channel}`,
  account: ({ advertiser, channel, ad_account }) => `${advertiser} ${channel} ${ad_account}`,
}

function grouped(
  parts: readonly Part[],
  kind: Kind,
  open: (parts: readonly Part[]) => Line[] = () => [],
): Line[] {
  return [...Map.groupBy(parts, ({ row }) => keys[kind](row))].map(([key, group]) => {
    const months = Map.groupBy(group, ({ row }) => row.month)
    const cells = new Map([...months].map(([month, of]) => [month, sumOf(of.map(({ cell }) => cell))]))
    return {
      key: `${kind} ${key}`,
      kind,
      ...common(group),
      cells,
      sum: sumOf([...cells.values()]),
      parts: open(group),
    }
  })
}

/** What all the rows of a line are of. */
function common(group: readonly Part[]) {
  const rows = group.map(({ row }) => row)
  const only = <Value>(read: (row: EcSpendRow) => Value): Value | null => {
    const values = new Set(rows.map(read))
    const [first] = values
    return values.size === 1 && first !== undefined ? first : null
  }
  return {
    advertiser: only(row => row.advertiser),
    advertiser_name: only(row => row.advertiser_name),
    channel: only(row => row.channel),
    account_name: only(row => row.account_name),
  }
}

const bySize = (lines: Line[]) =>
  lines.toSorted((a, b) => Number((b.sum.amount ?? -1n) - (a.sum.amount ?? -1n)) || (a.key < b.key ? -1 : 1))

const byChannel = (lines: Line[]) => lines.toSorted((a, b) => position(a) - position(b))
const position = ({ channel }: Line) => channels.findIndex(known => known === channel)
