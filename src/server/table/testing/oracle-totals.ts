import { leavesOf } from './formula-trees.ts'
import {
  isMoney,
  isSummed,
  numberOf,
  partsOf,
  plus,
  quotientValue,
  type Fraction,
  type Sides,
} from './oracle-numbers.ts'
import { accountsOf } from './oracle-refusals.ts'
import {
  blendValue,
  columnsOf,
  columnValue,
  oracleRows,
  type OracleCell,
  type OracleColumn,
  type OracleReport,
  type OracleRow,
} from './oracle.ts'

/* The totals under a table: of the sums over its rows. Empty where nothing can be added up. */

export function oracleTotals(report: OracleReport): OracleCell[] {
  const rows = oracleRows(report)
  const sides = report.blocks.map((_, index) => sidesIn(rows, index))
  const labels = [...(report.arrangement === 'stacked' ? [''] : []), ...report.dimensions].map(() => null)
  return [...labels, ...valuesIn(report, sides)].map(value =>
    value ? { print: numberOf(value), doubt: value.doubt } : { print: '', doubt: 0 },
  )
}

function valuesIn(report: OracleReport, sides: Sides[]): (Fraction | null)[] {
  if (report.arrangement === 'joined') {
    return [
      ...report.blocks.flatMap(({ metrics }, index) =>
        columnsOf(metrics, report).map(column => totalOf(column, [index], { report, sides })),
      ),
      ...report.blends.flatMap(blend =>
        columnsOf([blend.name], report).map(({ shows }) => {
          const isMixed = isMixedMoney(blendParts(blend, report), report)
          const sidesOf = new Map(sides.entries())
          return isMixed ? null : blendValue(blend, { shows, sidesOf }, report)
        }),
      ),
    ]
  }
  const metrics = [...new Set(report.blocks.flatMap(block => block.metrics))]
  return columnsOf(metrics, report).map(column => {
    const holders = report.blocks.flatMap(({ metrics: own, is_dropped }, index) =>
      own.includes(column.metric) && !is_dropped ? [index] : [],
    )
    return totalOf(column, holders, { report, sides })
  })
}

function sidesIn(rows: OracleRow[], index: number): Sides {
  const own = rows.flatMap(({ sidesOf }) => sidesOf.get(index) ?? [])
  return { now: own.flatMap(({ now }) => now), before: own.flatMap(({ before }) => before) }
}

interface Summed {
  report: OracleReport
  sides: Sides[]
}

/** What is worked out of several blocks has no total unless it is a sum, or a quotient of sums. */
function totalOf(column: OracleColumn, blocks: number[], { report, sides }: Summed): Fraction | null {
  const { metric, shows } = column
  const parts = (report.formulas[metric] ? leavesOf(report.formulas[metric]) : [{ metric }]).flatMap(leaf =>
    partsOf(leaf.metric),
  )
  if (
    isMixedMoney(
      blocks.flatMap(block => parts.map(part => ({ part, block }))),
      report,
    )
  )
    return null
  const [only] = blocks
  if (only !== undefined && blocks.length === 1) return columnValue(column, sides[only], { report, of: only })
  if (report.formulas[metric] || shows === 'change' || shows === 'percent') return null
  const sum = (part: string) =>
    blocks
      .map(of => columnValue({ metric: part, shows }, sides[of], { report, of }))
      .reduce((total, value) => (total && value ? plus(total, value) : (total ?? value)), null)
  return isSummed(metric, report) ? sum(metric) : quotientValue(metric, sum)
}

function blendParts({ tree }: OracleReport['blends'][number], report: OracleReport) {
  return leavesOf(tree).flatMap(({ block, metric }) =>
    report.blocks.flatMap((each, index) =>
      block === index || (block === 'all' && each.metrics.includes(metric))
        ? partsOf(metric).map(part => ({ part, block: index }))
        : [],
    ),
  )
}

/** Whether there is money of several currencies in it. */
function isMixedMoney(parts: { part: string; block: number }[], report: OracleReport): boolean {
  if (report.money.currency !== null) return false
  const currencies = parts.flatMap(({ part, block }) =>
    isMoney(part) ? accountsOf(report, block).map(({ currency }) => currency) : [],
  )
  return new Set(currencies).size > 1
}
