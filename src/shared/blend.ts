import type { Blend, Block, Report } from './api/reports.ts'
import type { Violation } from './block-rules.ts'
import type { ChannelCatalogue, Unit } from './channels/catalogue.ts'
import { whyNotFormula } from './formula-units.ts'
import { isFormula, operandsOf, readFormula, type Operand } from './formula.ts'
import { measuresOf, metricIn } from './metrics.ts'

type Blocks = readonly Pick<Block, 'metrics'>[]

/** The metrics of a block that blends are worked out of; `all` means each block that has it as a column. */
export function blendMetrics(blends: readonly Blend[], blocks: Blocks, index: number): string[] {
  const metrics = blends.flatMap(({ formula: text }) => {
    const formula = readFormula(text, true)
    if (!isFormula(formula)) return []
    return operandsOf(formula).flatMap(operand =>
      blocksOf(operand, blocks).includes(index) ? operand.metric : [],
    )
  })
  return [...new Set(metrics)]
}

/** The positions of the blocks that an operand is about. */
export function blocksOf({ block, metric }: Operand, blocks: Blocks): number[] {
  if (block === 'all')
    return blocks.flatMap(({ metrics }, index) => (metrics.includes(metric) ? [index] : []))
  return block === null || block >= blocks.length ? [] : [block]
}

/** The blends after channels have moved, as for `sortAfterMove`; of one that was removed `?` is left. */
export const blendsAfterMove = (blends: Blend[], moves: readonly number[]): Blend[] =>
  blends.map(blend => ({
    ...blend,
    formula: blend.formula.replaceAll(NUMBERED, (_, number: string) => {
      const at = Number(number) - 1
      // A number that no channel has had stays as wrong as it was.
      const next = at < moves.length ? (moves[at] ?? -1) : at
      return next < 0 ? '?.' : `${next + 1}.`
    }),
  }))

/** The channel's number before a metric; the digits of 1.5 are none. */
const NUMBERED = /(?<![\w.])([1-9]\d?)\.(?=[a-z])/g

interface BlendSubject {
  report: Pick<Report, 'arrangement' | 'channels' | 'dimensions'> &
    Partial<Pick<Report, 'blends' | 'currency'>>
  /** Of each block, as it means it. */
  catalogues: readonly ChannelCatalogue[]
  /** The currencies of each block's accounts. */
  currencies: readonly (readonly string[])[]
}

/** Why columns over several channels cannot be worked out. */
export function whyNotBlends(subject: BlendSubject): Violation[] {
  const { blends = [], arrangement } = subject.report
  if (blends.length > 0 && arrangement !== 'joined')
    return [{ code: 'combination_not_allowed', path: 'blends', detail: { reason: 'blends_need_joined' } }]
  return blends.flatMap((blend, index) => whyNotBlend(blend, `blends.${index}.formula`, subject))
}

function whyNotBlend({ formula: text, unit }: Blend, path: string, subject: BlendSubject): Violation[] {
  const formula = readFormula(text, true)
  if (!isFormula(formula)) return [{ code: formula.code, path, detail: { at: formula.at } }]
  const problem = whyNotFormula(formula, unit, operand => unitOf(operand, subject))
  if (problem) return [{ code: problem.code, path, detail: { at: problem.at, ...problem.detail } }]
  const currencies = currenciesOf(operandsOf(formula), subject)
  if (currencies.length < 2) return []
  return [{ code: 'mixed_currency', path, detail: { currencies, add: ['account_name', 'currency'] } }]
}

function unitOf(operand: Operand, { report, catalogues }: BlendSubject): Unit | null {
  const blocks = blocksOf(operand, report.channels)
  const units = blocks.map(block => {
    const metric = catalogues[block] && metricIn(catalogues[block], operand.metric)
    // What a platform alone can count is of its channel, and of nobody else's.
    const isOfOne = metric?.kind === 'non_additive' && operand.block === 'all'
    return metric && metric.kind !== 'calculated' && !isOfOne ? metric.unit : null
  })
  return units.includes(null) ? null : (units[0] ?? null)
}

/** Those of the money in a formula, unless it is converted or every row has one. */
function currenciesOf(
  operands: readonly Operand[],
  { report, catalogues, currencies }: BlendSubject,
): string[] {
  const separates = ['account_name', 'account_id', 'currency'].some(dimension =>
    report.dimensions.some(other => other === dimension),
  )
  if (separates || (report.currency ?? null) !== null) return []
  const found = operands.flatMap(operand =>
    blocksOf(operand, report.channels).flatMap(block => {
      const catalogue = catalogues[block]
      const isMoney = catalogue && measuresOf(catalogue, operand.metric).some(isMoneyIn(catalogue))
      return isMoney ? (currencies[block] ?? []) : []
    }),
  )
  return [...new Set(found)].toSorted()
}

const isMoneyIn = (catalogue: ChannelCatalogue) => (id: string) => metricIn(catalogue, id)?.unit === 'money'
