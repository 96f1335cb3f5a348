import {
  dimensions as allDimensions,
  type Dimension,
  type PlatformDimension,
} from '#shared/channels/catalogue.ts'
import { PlatformFailure, type Page } from '#server/connectors/connector.ts'
import { bucketsOf, type Buckets } from './buckets.ts'
import { codeOf, emptyDictionary, encode, PLAIN, type Dictionary, type Places } from './dictionary.ts'
import { emptyGroups, groupRows, type Groups } from './groups.ts'
import { compareCodePoints } from './order.ts'
import type { AccountFacts, Plan } from './plan.ts'
import { addColumn, emptySums, reserve, type Sums } from './sums.ts'

/** What a combination is made of: a bucket of days, facts of the account, values of the platform. */
type KeyPart = 'time' | 'account' | AccountFact | PlatformDimension
/** A fact of the account that several may have in common. */
type AccountFact = 'currency' | 'ga_account' | 'property'

/** What a block has said so far; hidden parts stand behind the shown ones. */
export interface BlockGroups {
  parts: KeyPart[]
  groups: Groups
  sums: Sums
}

/** A table in the making. */
export interface Workshop {
  plan: Plan
  buckets: Buckets
  /** The parts that the table shows, time first. */
  shown: KeyPart[]
  dictionaries: Map<KeyPart, Dictionary>
  /** Per question: the code of its account. */
  accounts: number[]
  /** null: dropped. */
  blocks: (BlockGroups | null)[]
  /** Buffers for one page, used again and again; `codes` are the rows' combinations one behind the other. */
  scratch: { days: Int32Array; groups: Int32Array; codes: Int32Array }
}

export function openWorkshop(plan: Plan): Workshop {
  const shown = [...new Set(plan.dimensions.map(partOf))].toSorted(
    (one, other) => Number(other === 'time') - Number(one === 'time'),
  )
  const dictionaries = new Map<KeyPart, Dictionary>()
  return {
    plan,
    buckets: bucketsOf(plan.range, plan.time),
    shown,
    dictionaries,
    accounts: enterAccounts(plan, dictionaryOf(dictionaries, 'account')),
    blocks: plan.blocks.map(block => {
      if (block.refusal) return null
      const hidden = block.dimensions.filter(dimension => !shown.includes(dimension))
      const parts = [...shown, ...hidden]
      return { parts, groups: emptyGroups(parts.length), sums: emptySums(block.parts) }
    }),
    scratch: { days: new Int32Array(0), groups: new Int32Array(0), codes: new Int32Array(0) },
  }
}

/** Codes are given in order of id, not of answers: where entities have equal names and ids, it is their accounts that order them. */
function enterAccounts({ questions }: Plan, dictionary: Dictionary): number[] {
  const owners = questions.map(({ account }) => ({
    key: account.external_id,
    // Keywords are of the same accounts as all other Google Ads: they share rows.
    scope: questions.findIndex(other => other.account.provider === account.provider),
    label: account.name,
  }))
  const sorted = owners.toSorted(
    (one, other) => one.scope - other.scope || compareCodePoints(one.key, other.key),
  )
  for (const owner of sorted) codeOf(dictionary, owner)
  return owners.map(owner => codeOf(dictionary, owner))
}

export function partOf(dimension: Dimension): KeyPart {
  if (dimension === 'account_name' || dimension === 'account_id' || dimension === 'view') return 'account'
  if (dimension === 'month' || dimension === 'week' || dimension === 'date') return 'time'
  return dimension
}

/** Takes one page: days and values become codes, combinations of codes become groups, metrics are added up. */
export function addPage(workshop: Workshop, index: number, page: Page): void {
  const question = workshop.plan.questions[index]
  const block = question && workshop.blocks[question.block]
  if (!question || !block) return
  const { length } = page
  const { parts } = block
  const { days, groups, codes } = scratchFor(workshop, length, parts.length)
  readDays(workshop.buckets, page, days)
  parts.forEach((part, from) => {
    writeCodes(workshop, index, { part, page, places: { codes, from, step: parts.length, length } })
  })
  groupRows(block.groups, codes, length, groups)
  reserve(block.sums, block.groups.count)
  page.metrics.forEach((values, part) => addColumn(block.sums, part, values, { groups, length }))
}

function scratchFor({ scratch }: Workshop, length: number, width: number): Workshop['scratch'] {
  if (length > scratch.days.length) {
    scratch.days = new Int32Array(length)
    scratch.groups = new Int32Array(length)
  }
  if (length * width > scratch.codes.length) scratch.codes = new Int32Array(length * width)
  return scratch
}

function readDays({ days }: Buckets, { dates, length }: Page, out: Int32Array): void {
  let last: string | undefined
  let day = 0
  for (let row = 0; row < length; row++) {
    const date = dates[row]
    if (date !== last || date === undefined) {
      const known = date === undefined ? undefined : days.get(date)
      if (known === undefined)
        throw new PlatformFailure('platform_error', {
          platform_message: `a day that was not asked for: ${date}`,
        })
      day = known
      last = date
    }
    out[row] = day
  }
}

function writeCodes(
  { buckets, plan, dictionaries, accounts, scratch }: Workshop,
  index: number,
  { part, page, places }: { part: KeyPart; page: Page; places: Places },
): void {
  const { days } = scratch
  const { account, request } = plan.questions[index] ?? {}
  const owner = accounts[index] ?? 0
  if (part === 'time') {
    writeBuckets(buckets, days, places)
  } else if (part === 'account') {
    writeConstant(owner, places)
  } else if (part === 'currency' || part === 'ga_account' || part === 'property') {
    const fact = account ? accountFact(part, account) : { key: '', label: '' }
    writeConstant(codeOf(dictionaryOf(dictionaries, part), { ...fact, scope: PLAIN }), places)
  } else {
    const column = page.dimensions[request?.dimensions.indexOf(part) ?? -1] ?? { keys: [] }
    // Analytics knows campaigns by their names alone: there they are plain values, the same in every account.
    const scope = allDimensions[part].kind === 'entity' && column.labels ? owner : PLAIN
    encode(dictionaryOf(dictionaries, part), column, { scope, days, places })
  }
}

function accountFact(part: AccountFact, account: AccountFacts): { key: string; label: string } {
  if (part === 'currency') return { key: account.currency, label: account.currency }
  if (part === 'ga_account') return { key: account.ga_account_id ?? '', label: account.ga_account_name ?? '' }
  return { key: account.property_id ?? '', label: account.property_name ?? '' }
}

function writeBuckets({ of_day }: Buckets, days: Int32Array, { codes, from, step, length }: Places): void {
  for (let row = 0; row < length; row++) codes[from + row * step] = of_day[days[row] ?? 0] ?? 0
}

function writeConstant(code: number, { codes, from, step, length }: Places): void {
  for (let row = 0; row < length; row++) codes[from + row * step] = code
}

export function dictionaryOf(dictionaries: Workshop['dictionaries'], part: KeyPart): Dictionary {
  const known = dictionaries.get(part)
  if (known) return known
  const dictionary = emptyDictionary()
  dictionaries.set(part, dictionary)
  return dictionary
}
