import * as fc from 'fast-check'
import type { Channel } from '#shared/channels/catalogue.ts'
import { anyFormula, leavesOf, textOf, type FormulaTree } from '#server/table/testing/formula-trees.ts'
import type { OracleMoney } from '#server/table/testing/oracle.ts'
import type { TestAgency } from './agency.ts'
import type { MixedReport } from './mixed-numbers-oracle.ts'

/* What the numbers of random reports over all channels mean: in the database, and for the oracle. */

const MONTHS = Array.from(
  { length: 12 * 5 },
  (_, at) => `${2022 + Math.floor(at / 12)}-${two((at % 12) + 1)}`,
)
const RUNNING = '2026-11'
/** That of the running month may still change. */
export const PROVISIONAL = `${RUNNING} USD`

function two(number: number): string {
  return String(number).padStart(2, '0')
}

/** Base TWD; another one each month. */
function rateOf(month: string, currency: string): string | null {
  const at = MONTHS.indexOf(month)
  if (currency === 'TWD') return '1'
  if (at < 0) return null
  return currency === 'USD' ? `3${at % 3}.${500 + at * 7}` : `0.2${two(at)}${at % 7}`
}

const agreements = [
  { channel: 'fb', currency: 'TWD', from: '2022-01', to: '2026-05', rate: 1250, basis: 'on_top' },
  { channel: null, currency: 'TWD', from: '2025-06', to: null, rate: 1500, basis: 'within' },
  { channel: null, currency: 'JPY', from: '2026-02', to: '2026-10', rate: 777, basis: 'on_top' },
] as const

/** Each for a channel, or for all of them. */
export const labels: readonly { channel: Channel | null; metric: string; label: string; label_zh: string }[] =
  [
    { channel: 'tt', metric: 'clicks', label: 'Visits of "TikTok"', label_zh: '到訪' },
    { channel: null, metric: 'clicks', label: '=Clicks', label_zh: '=點擊' },
    { channel: null, metric: 'cpc', label: 'Price of a click', label_zh: '點擊單價' },
  ]

export const definition = { name: 'Leads & orders', name_zh: '名單與訂單' }

/** What the channels count for it; LY's products have other names. */
export const countedActions = {
  fb: ['lead', 'offsite_conversion.fb_pixel_purchase'],
  aw: ['Purchase (web)', 'Sign-up'],
  yg: ['会員登録 "無料", 100%_\\', "Lead's form, 資料請求"],
  ga4: ['purchase', 'generate_lead'],
} as const satisfies Partial<Record<Channel, readonly string[]>>

/** The rates, fees, names and the definition of the agency; returns the definition's id. */
export async function meaningsInDatabase({ db, advertiser }: TestAgency): Promise<number> {
  await db
    .insertInto('rate')
    .values(
      MONTHS.flatMap(month =>
        ['USD', 'JPY'].map(currency => ({
          month: `${month}-01`,
          currency,
          rate: rateOf(month, currency) ?? '',
          kind: month === RUNNING && currency === 'USD' ? ('provisional' as const) : ('final' as const),
        })),
      ),
    )
    .execute()
  await db
    .insertInto('fee_agreement')
    .values(
      agreements.map(({ from, to, rate, ...agreement }) => ({
        ...agreement,
        advertiser,
        from_month: `${from}-01`,
        to_month: to && `${to}-01`,
        tiers: JSON.stringify([{ up_to: null, rate }]),
      })),
    )
    .execute()
  await db
    .insertInto('metric_label')
    .values(labels.map((label, at) => ({ ...label, advertiser: at === 0 ? advertiser : null })))
    .execute()
  const entries = Object.entries(countedActions).flatMap(([channel, actions]) =>
    actions.map(action => ({ channel, action })),
  )
  const { id } = await db
    .insertInto('conversion_definition')
    .values({ ...definition, advertiser, entries: JSON.stringify(entries) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** The report with its formulas in the database, under the ids that they get there. */
export async function withFormulas({ db }: TestAgency, report: MixedReport): Promise<MixedReport> {
  const ids = new Map<string, string>()
  await db.deleteFrom('calculated_metric').execute()
  for (const [drawn, { tree, unit, name }] of Object.entries(report.formulas)) {
    const { id } = await db
      .insertInto('calculated_metric')
      .values({ advertiser: null, name, name_zh: name, formula: textOf(tree), unit, decimals: 3 })
      .returning('id')
      .executeTakeFirstOrThrow()
    ids.set(drawn, `calc:${id}`)
  }
  const named = (metric: string) => ids.get(metric) ?? metric
  return {
    ...report,
    formulas: Object.fromEntries(
      Object.entries(report.formulas).map(([id, formula]) => [named(id), formula]),
    ),
    blocks: report.blocks.map(block => ({ ...block, metrics: block.metrics.map(named) })),
  }
}

export function oracleMoney(currency: string | null): OracleMoney {
  return {
    currency,
    rateOf,
    feeOf: (account, month) => {
      const [channel] = account.external_id.split(' ')
      const inForce = agreements.filter(
        each =>
          each.currency === account.currency && each.from <= month && (each.to === null || month <= each.to),
      )
      const found =
        inForce.find(each => each.channel === channel) ?? inForce.find(each => each.channel === null)
      return found ? { rate: found.rate, basis: found.basis, is_flat: true } : null
    },
  }
}

export interface MixedFormula {
  name: string
  tree: FormulaTree
  unit: 'count' | 'money' | 'ratio' | 'percent'
}

const advertising = ['cost', 'clicks', 'impressions', 'client_cost', 'ctr']
const analytics = ['sessions', 'total_events']
const unit = fc.constantFrom('count' as const, 'money' as const, 'ratio' as const, 'percent' as const)
const formula = (operands: string[]) =>
  fc.record({
    tree: anyFormula(fc.constantFrom(...operands).map(metric => ({ kind: 'metric', metric, block: null }))),
    unit,
  })

export const anyMeaning = fc.record({
  calculated: fc.tuple(formula(advertising), formula(advertising), formula(analytics)),
  calculates: fc.boolean(),
  charges: fc.boolean(),
  counts: fc.boolean(),
  blends: fc.array(
    fc.record({
      tree: anyFormula(
        fc.record({
          kind: fc.constant('metric' as const),
          metric: fc.constantFrom(...advertising.slice(0, 4), ...analytics),
          block: fc.constantFrom(0, 0, 1, 2, 'all' as const),
        }),
      ),
      unit,
    }),
    { maxLength: 2 },
  ),
  currency: fc.constantFrom(null, 'TWD', 'JPY', 'USD'),
  comparison: fc.option(
    fc.record({
      to: fc.constantFrom('previous_period' as const, 'last_year' as const),
      align: fc.constantFrom('date' as const, 'weekday' as const),
      show: fc.shuffledSubarray(['value' as const, 'change' as const, 'percent' as const], { minLength: 1 }),
    }),
    { freq: 2, nil: null },
  ),
  note: fc.boolean(),
})
export type DrawnMeaning = typeof anyMeaning extends fc.Arbitrary<infer T> ? T : never

export const operandsIn = (tree: FormulaTree): string[] => leavesOf(tree).map(({ metric }) => metric)
