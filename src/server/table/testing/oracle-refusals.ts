import { leavesOf } from './formula-trees.ts'
import { isMoney, partsOf } from './oracle-numbers.ts'
import { matchesByPattern } from './oracle-rows.ts'
import type { Fact, OracleReport } from './oracle.ts'

/** Whether a block has no numbers: a rate is missing, or a fee is not one rate. */
export function isDropped(report: OracleReport, index: number): boolean {
  const { money } = report
  const measures = measuresOf(report, index)
  const months = new Set([...report.days.map(day => day.slice(0, 7)), ...comparedMonths(report)])
  const isMissing = (month: string, currency: string) => money.rateOf(month, currency) === null
  return accountsOf(report, index).some(account =>
    [...months].some(month => {
      const { currency } = money
      const isConverted = currency !== null && currency !== account.currency && measures.some(isMoney)
      const lacksRate = isConverted && (isMissing(month, account.currency) || isMissing(month, currency))
      return lacksRate || (measures.includes('client_cost') && money.feeOf(account, month)?.is_flat === false)
    }),
  )
}

/** What its columns and the blends take of a block. */
function measuresOf({ blocks, blends, formulas }: OracleReport, index: number): string[] {
  const own = blocks[index]?.metrics ?? []
  const blended = blends
    .flatMap(({ tree }) => leavesOf(tree))
    .filter(({ block, metric }) => block === index || (block === 'all' && own.includes(metric)))
  return [...own, ...blended.map(({ metric }) => metric)]
    .flatMap(metric => {
      const formula = formulas[metric]
      return formula ? leavesOf(formula).map(leaf => leaf.metric) : [metric]
    })
    .flatMap(partsOf)
}

function comparedMonths({ comparison }: OracleReport): string[] {
  if (!comparison) return []
  const { start, end } = comparison.days
  const months: string[] = []
  for (let month = start.slice(0, 7); month <= end.slice(0, 7); month = nextMonth(month)) months.push(month)
  return months
}

function nextMonth(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, '0')}`
}

/** The accounts that the block's filters let through. */
export const accountsOf = ({ blocks }: OracleReport, index: number): Fact['account'][] =>
  (blocks[index]?.accounts ?? []).filter(account =>
    (blocks[index]?.filters ?? []).every(({ field, rule, values }) => {
      if (field !== 'account_name' && field !== 'account_id') return true
      const text = field === 'account_name' ? account.name : account.external_id
      const matches = (value: string) => matchesByPattern(text, rule, value)
      return rule === 'NOT_CONTAINS' ? !values.some(matches) : values.some(matches)
    }),
  )
