import { whyNotAsk, type Violation } from '#shared/block-rules.ts'
import { catalogueOf } from '#shared/channels/all.ts'
import type { Channel, Dimension } from '#shared/channels/catalogue.ts'
import { leavesOf } from '#server/table/testing/formula-trees.ts'
import { operandsIn, type DrawnMeaning, type MixedFormula } from './mixed-numbers-meaning.ts'
import type { MixedBlock, MixedReport } from './mixed-numbers-oracle.ts'

/* Random reports over all channels with what was drawn of the meaning of their numbers. */

type Meant = Omit<DrawnMeaning, 'calculated'> & { calculated: readonly DrawnMeaning['calculated'][number][] }

/** Of reports whose numbers mean what the platforms say. */
export const nothingMeant = {
  calculated: [],
  calculates: false,
  charges: false,
  counts: false,
  blends: [],
  currency: null,
  comparison: null,
  note: false,
} satisfies Meant

export const withoutMeaning = { formulas: {}, blends: [], currency: null, comparison: null, note: false }

/** With as much of it as its blocks can have. */
export function withMeaning(report: MixedReport, meaning: Meant): MixedReport {
  const { arrangement, dimensions } = report
  const formulas = meaning.calculates
    ? Object.fromEntries(
        meaning.calculated.map(({ tree, unit }, at): [string, MixedFormula] => [
          `calc:${at + 1}`,
          { tree, unit, name: `Worked out ${at + 1}` },
        ]),
      )
    : {}
  const blocks = report.blocks.map(block => meantBlock(block, { formulas, meaning, dimensions }))
  const blends = meaning.blends
    .map((blend, at) => ({ ...blend, name: `Blend ${at + 1}` }))
    .filter(({ tree }) => arrangement === 'joined' && isPossible(tree, blocks, dimensions))
  const { note, currency } = meaning
  return { ...report, blocks, formulas, blends, note, currency, comparison: comparisonOf(report, meaning) }
}

interface Meaning {
  formulas: Record<string, MixedFormula>
  meaning: Meant
  dimensions: readonly Dimension[]
}

function meantBlock(block: MixedBlock, { formulas, meaning, dimensions }: Meaning): MixedBlock {
  const clear = (metrics: string[]) => metrics.every(metric => isClear(block, metric, dimensions))
  const base = catalogueOf(block.channel).accounts === 'ad_account' ? 'impressions' : 'total_events'
  const is_meant = meaning.counts && hasActions(block) && clear([base])
  const counted = is_meant ? [base, ...(countedMetrics[block.channel] ?? [])] : []
  const more = [
    ...counted.filter(metric => clear([metric])),
    ...(meaning.charges && clear(['client_cost']) ? ['client_cost'] : []),
    ...Object.entries(formulas).flatMap(([id, { tree }]) => (clear(operandsIn(tree)) ? id : [])),
  ]
  return { ...block, is_meant, metrics: [...new Set([...block.metrics, ...more])] }
}

/** What the oracle knows of the definition's conversions. */
const countedMetrics: Partial<Record<Channel, string[]>> = {
  fb: ['conversions', 'conversion_value', 'cpa', 'cvr', 'roas'],
  aw: ['conversions', 'conversion_value', 'cpa', 'cvr', 'roas'],
  yg: ['conversions', 'cpa', 'cvr'],
  ga4: ['conversions'],
}

/** Yahoo DSP has no actions. */
const hasActions = ({ channel, accounts }: MixedBlock) =>
  channel in countedMetrics && accounts.every(({ provider }) => provider !== 'yahoo_dsp')

function isClear(block: MixedBlock, metric: string, dimensions: readonly Dimension[]): boolean {
  // Of the advertising that is linked with web analytics the oracle knows nothing.
  const isLinked =
    catalogueOf(block.channel).accounts !== 'ad_account' &&
    !['sessions', 'total_events', 'conversions'].includes(metric)
  return !isLinked && whyNot({ ...block, metrics: [metric] }, dimensions).length === 0
}

function isPossible(tree: MixedFormula['tree'], blocks: MixedBlock[], dimensions: readonly Dimension[]) {
  return leavesOf(tree).every(({ block, metric }) => {
    if (block === 'all') return blocks.some(({ metrics }) => metrics.includes(metric))
    const of = blocks[block ?? -1]
    return of !== undefined && isClear(of, metric, dimensions)
  })
}

/** Only what such rows can be compared with. */
export function comparisonOf(
  { dimensions, range }: Pick<MixedReport, 'dimensions' | 'range'>,
  { comparison }: Pick<Meant, 'comparison'>,
): MixedReport['comparison'] {
  if (!comparison) return null
  const [isWeek, isMonth] = [dimensions.includes('week'), dimensions.includes('month')]
  if (isWeek && isMonth) return null
  if (isWeek) return { ...comparison, align: 'weekday' }
  if (!isMonth) return comparison
  return { ...comparison, align: 'date', to: range.start.endsWith('-01') ? comparison.to : 'last_year' }
}

/** Why the product would not fetch a block; its own rules have tests of their own. */
export const whyNot = (block_: MixedBlock, dimensions: readonly Dimension[]): Violation[] =>
  whyNotAsk({
    index: 0,
    block: { ...block_, metrics: block_.metrics.filter(metric => !metric.startsWith('calc:')) },
    dimensions,
    catalogue: catalogueOf(block_.channel),
    accounts: block_.accounts,
  })
