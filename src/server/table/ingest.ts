import {
  dimensions as allDimensions,
  type Dimension,
  type PlatformDimension,
} from '#shared/channels/catalogue.ts'
import { PlatformFailure, type Page } from '#server/connectors/connector.ts'
import { bucketsOf, type Buckets } from './buckets.ts'
import { constantColumn, translator, type CodeColumn } from '#server/connectors/text-column.ts'
import { codeOf, emptyDictionary, encode, PLAIN, type Dictionary } from './dictionary.ts'
import type { Groups } from './groups.ts'
import { compareCodePoints } from './order.ts'
import { matchesOf, withMatch } from './matches.ts'
import { multiply } from './factors.ts'
import type { AccountFacts, Plan, PlannedRequest } from './plan.ts'
import { groupRows, openRowGroups, type RowGroups } from './row-groups.ts'
import { addColumn, emptySums, extend, type Sums } from './sums.ts'

/** The parts of a combination: a bucket of days, facts of the account, values of the platform. */
type KeyColumn = 'time' | 'account' | AccountFact | PlatformDimension
/** A fact of the account that several may have in common. */
type AccountFact = 'currency' | 'ga_account' | 'property'

/** The ingested rows of a block; hidden key columns come after the visible ones. */
export interface BlockGroups {
  keyColumns: KeyColumn[]
  groups: Groups
  rowGroups: RowGroups
  sums: Sums
}

/** A table while its pages are ingested. */
export interface Aggregation {
  plan: Plan
  buckets: Buckets
  /** Of the compared period: its days with those of the range beside them; null: there is none. */
  matches: ReadonlyMap<string, number> | null
  /** Per bucket 1 where its day has none in the compared period; null: every bucket counts. */
  unmatched: Uint8Array | null
  /** The key columns that the table shows, time first. */
  visible: KeyColumn[]
  dictionaries: Map<KeyColumn, Dictionary>
  /** Per request: the code of its account. */
  accounts: number[]
  /** null: dropped. */
  blocks: (BlockGroups | null)[]
  /** Write the day of each row of a page; `past`: those of the compared period, in their own order. */
  days: { own: DayWriter; matched: DayWriter; past: DayWriter }
  /** Buffers for one page, reused; `codes` are the rows' combinations one after the other. */
  scratch: { days: Int32Array; labelDays: Int32Array; groups: Int32Array; codes: Int32Array }
}

type DayWriter = ReturnType<typeof translator>

export function startAggregation(plan: Plan): Aggregation {
  const visible = [...new Set(plan.dimensions.map(keyColumnOf))].toSorted(
    (one, other) => Number(other === 'time') - Number(one === 'time'),
  )
  const dictionaries = new Map<KeyColumn, Dictionary>()
  const buckets = bucketsOf(plan.range, plan.time)
  const compared = matchesOf(plan, buckets)
  return {
    plan,
    buckets,
    ...compared,
    days: {
      own: dayWriter(buckets.days),
      matched: dayWriter(compared.matches ?? new Map()),
      past: dayWriter(compared.before),
    },
    visible,
    dictionaries,
    accounts: codesOfAccounts(plan, dictionaryOf(dictionaries, 'account')),
    blocks: plan.blocks.map(block => {
      if (block.refusal) return null
      const hidden = block.dimensions.filter(dimension => !visible.includes(dimension))
      const keyColumns = [...visible, ...hidden]
      const rowGroups = openRowGroups(keyColumns.length, visible[0] === 'time' ? buckets.count : null)
      return { keyColumns, groups: rowGroups.groups, rowGroups, sums: emptySums(block.measures) }
    }),
    scratch: {
      days: new Int32Array(0),
      labelDays: new Int32Array(0),
      groups: new Int32Array(0),
      codes: new Int32Array(0),
    },
  }
}

/**
 * Codes are numbered in order of id, not of arrival: where entities have equal names and ids, their accounts
 * order them.
 */
function codesOfAccounts({ requests }: Plan, dictionary: Dictionary): number[] {
  const owners = requests.map(({ account }) => ({
    key: account.external_id,
    // Keywords have the same accounts as all other Google Ads: they share rows.
    scope: requests.findIndex(other => other.account.provider === account.provider),
    label: account.name,
  }))
  const sorted = owners.toSorted(
    (one, other) => one.scope - other.scope || compareCodePoints(one.key, other.key),
  )
  for (const owner of sorted) codeOf(dictionary, owner)
  return owners.map(owner => codeOf(dictionary, owner))
}

export function keyColumnOf(dimension: Dimension): KeyColumn {
  if (dimension === 'account_name' || dimension === 'account_id' || dimension === 'view') return 'account'
  if (dimension === 'month' || dimension === 'week' || dimension === 'date') return 'time'
  return dimension
}

/**
 * Ingests one page: days and values become codes, combinations of codes become groups, metrics are added up.
 */
export function addPage(aggregation: Aggregation, index: number, page: Page): void {
  const planned = aggregation.plan.requests[index]
  const block = planned && aggregation.blocks[planned.block]
  if (!planned || !block) return
  const matched = planned.is_compared ? withMatch(page, aggregation.matches ?? new Map()) : page
  addRows(aggregation, index, { planned, block, page: matched })
}

function addRows(
  aggregation: Aggregation,
  index: number,
  { planned, block, page }: { planned: PlannedRequest; block: BlockGroups; page: Page },
): void {
  const { length } = page
  const { keyColumns } = block
  const { days, labelDays, groups, codes } = scratchFor(aggregation, length, keyColumns.length)
  const { is_compared } = planned
  const { own, matched, past } = aggregation.days
  const byRow = { from: 0, step: 1, length }
  ;(is_compared ? matched : own)(page.dates, { ...byRow, codes: days })
  if (is_compared) past(page.dates, { ...byRow, codes: labelDays })
  keyColumns.forEach((column, from) => {
    writeCodes(aggregation, index, {
      column,
      page,
      labelDays: is_compared ? labelDays : days,
      target: { codes, from, step: keyColumns.length, length },
    })
  })
  groupRows(block.rowGroups, codes, { length, out: groups })
  extend(block.sums, block.groups.count)
  if (!planned.feeds)
    return page.metrics.forEach((values, measure) =>
      addColumn(block.sums, measure, values, { groups, length }),
    )
  for (const { column, measure, steps = [] } of planned.feeds) {
    const values = steps.reduce<Float64Array>(
      (before, step) => multiply(before, { ...page, factors: aggregation.plan.factors[step] ?? {} }),
      page.metrics[column] ?? new Float64Array(0),
    )
    addColumn(block.sums, measure, values, { groups, length })
  }
}

function scratchFor({ scratch }: Aggregation, length: number, width: number): Aggregation['scratch'] {
  if (length > scratch.days.length) {
    scratch.days = new Int32Array(length)
    scratch.labelDays = new Int32Array(length)
    scratch.groups = new Int32Array(length)
  }
  if (length * width > scratch.codes.length) scratch.codes = new Int32Array(length * width)
  return scratch
}

const dayWriter = (days: ReadonlyMap<string, number>): DayWriter =>
  translator(date => {
    const day = days.get(date)
    if (day === undefined)
      throw new PlatformFailure('platform_error', {
        platform_message: `a day that was not requested: ${date}`,
      })
    return day
  })

interface PageColumn {
  column: KeyColumn
  page: Page
  /** How new the labels of each row are. */
  labelDays: Int32Array
  target: CodeColumn
}

function writeCodes(
  { buckets, plan, dictionaries, accounts, scratch }: Aggregation,
  index: number,
  { column, page, labelDays, target }: PageColumn,
): void {
  const { days } = scratch
  const { account, request } = plan.requests[index] ?? {}
  const owner = accounts[index] ?? 0
  if (column === 'time') {
    writeBuckets(buckets, days, target)
  } else if (column === 'account') {
    writeConstant(owner, target)
  } else if (column === 'currency' || column === 'ga_account' || column === 'property') {
    const fact = account ? accountFact(column, account) : { key: '', label: '' }
    writeConstant(codeOf(dictionaryOf(dictionaries, column), { ...fact, scope: PLAIN }), target)
  } else {
    const values = page.dimensions[request?.dimensions.indexOf(column) ?? -1] ?? {
      keys: constantColumn('', page.length),
    }
    // Analytics knows campaigns only by name: there they are plain values, the same in every account.
    const scope = allDimensions[column].kind === 'entity' && values.labels ? owner : PLAIN
    encode(dictionaryOf(dictionaries, column), values, { scope, days: labelDays, target })
  }
}

function accountFact(column: AccountFact, account: AccountFacts): { key: string; label: string } {
  if (column === 'currency') return { key: account.currency, label: account.currency }
  if (column === 'ga_account')
    return { key: account.ga_account_id ?? '', label: account.ga_account_name ?? '' }
  return { key: account.property_id ?? '', label: account.property_name ?? '' }
}

function writeBuckets({ ofDay }: Buckets, days: Int32Array, { codes, from, step, length }: CodeColumn): void {
  for (let row = 0; row < length; row++) codes[from + row * step] = ofDay[days[row] ?? 0] ?? 0
}

function writeConstant(code: number, { codes, from, step, length }: CodeColumn): void {
  for (let row = 0; row < length; row++) codes[from + row * step] = code
}

export function dictionaryOf(dictionaries: Aggregation['dictionaries'], column: KeyColumn): Dictionary {
  const known = dictionaries.get(column)
  if (known) return known
  const dictionary = emptyDictionary()
  dictionaries.set(column, dictionary)
  return dictionary
}
