import type { AdAccount } from '#shared/api/ad-accounts.ts'
import { catalogueOf } from '#shared/channels/all.ts'
import {
  dimensions,
  filterFields,
  type Channel,
  type Dimension,
  type FilterField,
} from '#shared/channels/catalogue.ts'
import type { Language } from '#shared/language.ts'
import { limits } from '#shared/limits.ts'
import { metricIn } from '#shared/metrics.ts'
import { hasMoney } from '#shared/report-rules.ts'
import { newRefusal } from './dimension-choice.ts'
import type { Draft, DraftBlock } from './draft.ts'
import type { FieldError } from './errors.ts'

/** One change that ends a refusal; `block` is the index of the channel. */
export type Fix =
  | { kind: 'add_dimension'; dimension: Dimension }
  | { kind: 'remove_dimension'; dimension: Dimension }
  | { kind: 'remove_metric'; metric: string; channel: Channel; block: number }
  | { kind: 'remove_filter'; filter: FilterField; block: number }
  | { kind: 'keep_currency'; currency: string }

type Accounts = readonly Pick<AdAccount, 'id' | 'provider' | 'currency'>[]

/** The changes, any one of which ends the refusal, as far as the rest of the draft allows them. */
export function fixesOf(
  { code, path, detail }: Pick<FieldError, 'code' | 'path' | 'detail'>,
  draft: Pick<Draft, 'channels' | 'dimensions'>,
  accounts: Accounts,
): Fix[] {
  if (code !== 'mixed_currency' && code !== 'combination_not_allowed') return []
  const block = blockIn(path, detail)
  const added = textsIn(detail.add).filter(isDimension).filter(canAdd)
  const removed = textsIn(detail.remove).flatMap(id => removalOf(id, block, draft))
  const currencies = code === 'mixed_currency' ? textsIn(detail.currencies) : []
  return [
    ...added.map(dimension => ({ kind: 'add_dimension' as const, dimension })),
    ...removed,
    ...currencies.map(currency => ({ kind: 'keep_currency' as const, currency })),
  ]

  function canAdd(dimension: Dimension) {
    return draft.dimensions.length < limits.dimensions && !newRefusal(draft, dimension, accounts)
  }
}

/** What a fix changes. */
export function applied(draft: Draft, fix: Fix, accounts: Accounts): Partial<Draft> {
  const inBlock = (index: number, change: (block: DraftBlock) => Partial<DraftBlock>) => ({
    channels: draft.channels.map((block, at) => (at === index ? { ...block, ...change(block) } : block)),
  })
  switch (fix.kind) {
    case 'add_dimension':
      return { dimensions: [...draft.dimensions, fix.dimension] }
    case 'remove_dimension':
      return { dimensions: draft.dimensions.filter(dimension => dimension !== fix.dimension) }
    case 'remove_metric':
      return inBlock(fix.block, ({ metrics }) => ({
        metrics: metrics.filter(metric => metric !== fix.metric),
      }))
    case 'remove_filter':
      return inBlock(fix.block, ({ filters }) => ({
        filters: filters.filter(({ field }) => field !== fix.filter),
      }))
    case 'keep_currency':
      return { channels: inCurrency(draft.channels, fix.currency, accounts) }
  }
}

/** Only where amounts are added up; a channel that has accounts of other currencies alone is removed. */
function inCurrency(channels: Draft['channels'], currency: string, accounts: Accounts): DraftBlock[] {
  const isInIt = (id: number) =>
    (accounts.find(account => account.id === id)?.currency ?? currency) === currency
  return channels.flatMap(block => {
    if (!hasMoney(catalogueOf(block.channel), block.metrics)) return [block]
    const inIt = block.accounts.filter(isInIt)
    return inIt.length === 0 && block.accounts.length > 0 ? [] : [{ ...block, accounts: inIt }]
  })
}

function removalOf(id: string, block: number, draft: Pick<Draft, 'channels' | 'dimensions'>): Fix[] {
  if (draft.dimensions.some(dimension => dimension === id))
    return isDimension(id) ? [{ kind: 'remove_dimension', dimension: id }] : []
  const of = draft.channels[block]
  if (!of) return []
  if (isFilter(id) && of.filters.some(({ field }) => field === id))
    return [{ kind: 'remove_filter', filter: id, block }]
  return of.metrics.includes(id) ? [{ kind: 'remove_metric', metric: id, channel: of.channel, block }] : []
}

/** The channel that a refusal is about. */
function blockIn(path: string, { block }: Record<string, unknown>): number {
  const [, index] = /^channels\.(\d+)/.exec(path) ?? []
  return index === undefined ? Number(block ?? -1) : Number(index)
}

/** The name of what a fix adds, removes or keeps. */
export function fixName(fix: Fix, language: Language): string {
  switch (fix.kind) {
    case 'add_dimension':
    case 'remove_dimension':
      return dimensions[fix.dimension].names[language]
    case 'remove_filter':
      return filterFields[fix.filter].names[language]
    case 'keep_currency':
      return fix.currency
    case 'remove_metric':
      return metricIn(catalogueOf(fix.channel), fix.metric)?.names[language] ?? fix.metric
  }
}

const textsIn = (list: unknown): string[] =>
  Array.isArray(list) ? list.filter(entry => typeof entry === 'string') : []
const isDimension = (id: string): id is Dimension => Object.hasOwn(dimensions, id)
const isFilter = (id: string): id is FilterField => Object.hasOwn(filterFields, id)
