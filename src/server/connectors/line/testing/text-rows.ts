import { headerOf } from '#server/connectors/line/header.ts'
import { csvRows } from '#server/connectors/kit/csv.ts'
import { decimal, millionths } from '#server/connectors/kit/decimals.ts'
import { unreadable } from '#server/connectors/kit/failures.ts'
import type { ComparableRow } from '#server/connectors/testing/context.ts'

// A file of ads by day, read cell by cell as texts: what the reader of bytes must read, too. Throws what it
// must throw.

export const metrics = ['impressions', 'clicks', 'cost', 'app_search']
const columns = ['Day', 'Ad ID', 'Ad name', 'Impressions', 'Clicks', 'Cost', 'Search', 'CPC']

export function lineRows(bytes: Buffer): ComparableRow[] {
  const text = textOf(bytes)
  // The same file comes again and again.
  if (!text.endsWith('\n') && /(?:^|[,\t])$/.test(text)) throw unreadable('a file that breaks off')
  const rows = csvRows(text)
  const { value: titles } = rows.next()
  if (!titles) throw unreadable('a file without a header')
  const header = headerOf(titles)
  for (const label of ['Ad ID', 'Ad name', 'Impressions', 'Clicks', 'Cost', 'Day'] as const)
    header.at([label])
  const places = columns.map(label => header.find([label]))
  const read: ComparableRow[] = []
  const sums = { cost: 0, impressions: 0, clickedCost: 0, pricedClicks: 0 }
  let number = 1
  for (const row of rows) {
    number += 1
    if (row.length === 1 && row[0] === '') continue
    if (row.length !== titles.length) throw unreadable(`row ${number}: ${row.length} fields`)
    const [day = '', id = '', name = '', ...cells] = places.map(at => row[at] ?? '')
    if (cells.slice(0, 4).every(cell => /^[-\s0.,]*$/.test(cell))) continue
    const [impressions = 0, clicks = 0, cost = 0, , price = 0] = cells.map(
      cell => decimal(cell.replaceAll(',', '')) || 0,
    )
    sums.cost += cost
    sums.impressions += impressions
    if (price !== 0) {
      sums.clickedCost += cost
      sums.pricedClicks += price * clicks
    }
    if (!/^2026-11-0[1-3]$/.test(day)) throw unreadable(`row ${number}: Day`)
    if (id === '') throw unreadable(`row ${number}: Ad ID`)
    read.push({
      date: day,
      keys: [id],
      labels: [name],
      values: metrics.map((metric, at) =>
        numberOf(
          cells[at] ?? '',
          metric === 'cost' ? millionths : decimal,
          `row ${number}: ${columns[3 + at]}`,
        ),
      ),
    })
  }
  judge(sums)
  return read
}

function textOf(bytes: Buffer): string {
  const encoding = bytes.subarray(0, 2).toString('hex') === 'fffe' ? 'utf-16le' : 'utf-8'
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    throw unreadable(`a file that is not ${encoding}`)
  }
}

function numberOf(cell: string, parse: (text: string) => number, where: string): number {
  const number = parse(cell.trim().replaceAll(',', ''))
  if (!Number.isNaN(number) || ['', '-'].includes(cell.trim())) return number
  throw unreadable(where)
}

type Sums = Record<'cost' | 'impressions' | 'clickedCost' | 'pricedClicks', number>

function judge({ cost, impressions, clickedCost, pricedClicks }: Sums): void {
  const off = pricedClicks === 0 || clickedCost === 0 ? 1 : clickedCost / pricedClicks
  if (off > 1000 || off < 1 / 1000) throw unreadable('Cost and CPC differ by a unit')
  if (impressions >= 1000 && (1000 * cost) / impressions > 100_000) throw unreadable('Cost is in millionths')
}
