import type { Plan } from '#server/table/plan.ts'
import type { Dataset } from './any-dataset.ts'
import { calculatedNames, definition, meaningsOf, moneyFacts, oracleMoney } from './drawn-meaning.ts'
import { leavesOf, textOf } from './formula-trees.ts'
import { comparedDays, lengthOf, shiftedBy } from './oracle-days.ts'
import type { HeaderFacts } from './oracle-headers.ts'
import { isDropped } from './oracle-refusals.ts'
import type { Fact, OracleReport } from './oracle.ts'
import { testAccount, testPlan } from './table.ts'

const accounts = [
  testAccount(1, { name: 'Shop', currency: 'USD', advertiser: 1 }),
  testAccount(2, { name: 'Shop', currency: 'JPY', advertiser: 2 }),
  testAccount(3, { name: 'Atelier 😀', currency: 'USD', advertiser: 1 }),
]
const names = ['Sale', 'sale', 'ſale K', 'Straße', '廣告', '😀', '\ufffd', '=1+1', '']

export interface Opened {
  plan: Plan
  facts: Fact[]
  report: OracleReport
  header: HeaderFacts
}

export function open(drawn: Dataset): Opened {
  const settled = { ...drawn, blocks: blocksOf(drawn) }
  const blends = drawn.arrangement === 'joined' ? blendsOf(drawn) : []
  const comparison = comparisonOf(drawn)
  const plan = planOf(settled, { blends, comparison })
  const end = shiftedBy(drawn.start, drawn.length - 1)
  const compared = comparison && comparedDays(drawn.start, end, comparison)
  const facts = factsOf(drawn, compared)
  const report = reportOf(settled, {
    blends,
    sort: plan.sort,
    comparison: comparison && compared && { ...comparison, days: compared },
    labels: plan.blocks.map(({ label }) => label),
    facts,
  })
  const blocks = report.blocks.map((block, index) =>
    isDropped(report, index) ? { ...block, facts: [], is_dropped: true } : block,
  )
  return { plan, facts, report: { ...report, blocks }, header: headerOf(settled, blends) }
}

interface Drawn {
  blends: ReturnType<typeof blendsOf>
  comparison: ReturnType<typeof comparisonOf>
}

function planOf(drawn: Dataset, { blends, comparison }: Drawn): Plan {
  const { start, length, dimensions, arrangement, fill_zero, limit, meaning } = drawn
  return testPlan({
    dimensions,
    arrangement,
    fill_zero,
    sort: sortOf(drawn),
    limit,
    accounts,
    range: { start, end: shiftedBy(start, length - 1) },
    header_language: meaning.language,
    currency: meaning.currency,
    comparison,
    blocks: drawn.blocks.map(({ is_meant, ...block }) => ({ ...block, conversion: is_meant ? 1 : null })),
    blends: blends.map(({ name, tree, unit }) => ({ name, formula: textOf(tree), unit, decimals: 2 })),
    meanings: meaningsOf(meaning),
    money: moneyFacts(drawn),
  })
}

function reportOf(
  { start, length, dimensions, arrangement, fill_zero, limit, blocks, ...drawn }: Dataset,
  {
    blends,
    labels,
    facts,
    ...more
  }: Pick<OracleReport, 'sort' | 'comparison'> & Pick<Drawn, 'blends'> & { labels: string[]; facts: Fact[] },
): OracleReport {
  const { calculated, counted } = drawn.meaning
  const shares = calculated.flatMap(({ unit }, at) => (unit === 'percent' ? `calc:${at + 1}` : []))
  return {
    dimensions,
    arrangement,
    fill_zero,
    limit,
    ...more,
    days: Array.from({ length }, (_, offset) => shiftedBy(start, offset)),
    formulas: Object.fromEntries(calculated.map(({ tree }, at) => [`calc:${at + 1}`, tree])),
    shares: new Set(['ctr', 'cvr', ...shares]),
    blends: blends.map(({ name, tree, unit }) => ({ name, tree, is_share: unit === 'percent' })),
    money: oracleMoney({ start, ...drawn }),
    blocks: blocks.map(({ accounts: ids, metrics, filters, is_meant }, index) => ({
      label: labels[index] ?? '',
      metrics,
      filters,
      conversion: is_meant ? counted : null,
      accounts: accounts.filter(({ id }) => ids.includes(id)),
      facts: facts.filter(fact => ids.some(id => fact.account.external_id === String(1000 + id))),
      is_dropped: false,
    })),
  }
}

/** Only what such rows can be compared with. */
function comparisonOf({ dimensions, start, meaning: { comparison } }: Dataset) {
  if (!comparison) return null
  const [isWeek, isMonth] = [dimensions.includes('week'), dimensions.includes('month')]
  if (isWeek && isMonth) return null
  if (isWeek) return { ...comparison, align: 'weekday' as const }
  if (!isMonth) return comparison
  const to = start.endsWith('-01') ? comparison.to : ('last_year' as const)
  return { ...comparison, to, align: 'date' as const }
}

/** Metrics and definitions of an advertiser are for blocks of its accounts alone. */
function blocksOf({ blocks, meaning: { calculated } }: Dataset): Dataset['blocks'] {
  return blocks.map(block => {
    const owner = ownerOf(block)
    const metrics = block.metrics.filter(metric => {
      const advertiser = calculated[Number(metric.split(':')[1]) - 1]?.advertiser ?? null
      return advertiser === null || advertiser === owner
    })
    return {
      ...block,
      metrics: metrics.length > 0 ? metrics : ['clicks'],
      is_meant: block.is_meant && owner === 1,
    }
  })
}

function ownerOf({ accounts: ids }: Pick<Dataset['blocks'][number], 'accounts'>): number | null {
  const owners = new Set(accounts.filter(({ id }) => ids.includes(id)).map(({ advertiser }) => advertiser))
  return owners.size === 1 ? ([...owners][0] ?? null) : null
}

/** Over blocks that exist. */
const blendsOf = ({ blocks, meaning: { blends } }: Dataset) =>
  blends
    .map((blend, at) => ({ ...blend, name: `Blend ${at + 1}` }))
    .filter(({ tree }) =>
      leavesOf(tree).every(({ block }) => block === 'all' || Number(block) < blocks.length),
    )

function headerOf(
  { blocks, meaning: { calculated, labels, language } }: Dataset,
  blends: ReturnType<typeof blendsOf>,
): HeaderFacts {
  return {
    language,
    calculated: Object.fromEntries(
      calculated.map(({ unit }, at) => [
        `calc:${at + 1}`,
        { ...calculatedNames(at), is_money: unit === 'money' },
      ]),
    ),
    blends: blends.map(({ name, unit }) => ({ name, is_money: unit === 'money' })),
    blocks: blocks.map(block => ({
      owner: ownerOf(block),
      conversion: block.is_meant ? definition : null,
      labels,
    })),
  }
}

/** By any column of the table, with or without naming its block. */
function sortOf({ sorted, dimensions, blocks }: Dataset): Plan['sort'] {
  if (!sorted) return null
  const { at, named, descending } = sorted
  const columns = [
    ...dimensions.map(by => ({ by: by as string, block: null })),
    ...blocks.flatMap(({ metrics }, block) => metrics.map(by => ({ by, block: named ? block : null }))),
  ]
  const column = columns[at % columns.length]
  return column ? { ...column, descending } : null
}

function factsOf(
  { start, facts, length, renames }: Dataset,
  compared: { start: string; end: string } | null,
): Fact[] {
  const before = compared && { start: compared.start, length: lengthOf(compared.start, compared.end) }
  return facts.flatMap(({ day, is_before, account, campaign, ad_group, device_type, ...metrics }) => {
    const period = is_before && before ? before : { start, length }
    if (day >= period.length) return []
    const { external_id = '', name = '', currency = '', advertiser = null } = accounts[account] ?? {}
    const renamed = day >= (renames[campaign] ?? 0) && period !== before ? 4 : 0
    return [
      {
        day: shiftedBy(period.start, day),
        account: { external_id, name, currency, advertiser },
        campaign: { id: `c${campaign}`, name: names[(campaign + renamed) % names.length] ?? '' },
        ad_group: {
          id: `g${campaign}.${ad_group}`,
          name: names[(campaign * 3 + ad_group + renamed) % names.length] ?? '',
        },
        device_type,
        metrics,
      },
    ]
  })
}
