import { dimensions, filterFields, type Dimension, type FilterField } from '#shared/channels/catalogue.ts'
import type { Language, Text } from '#shared/language.ts'
import { limits } from '#shared/limits.ts'
import { hasMoney } from '#shared/report-rules.ts'
import { afterMove } from './block-edits.ts'
import { newRefusal } from './dimension-choice.ts'
import type { Draft, DraftBlock } from './draft.ts'
import type { FieldError } from './errors.ts'
import { catalogueIn, conversionsOf, metricNames, type Known, type KnownHere } from './known.ts'

/** One change that ends a refusal; `block` is the index of the channel. */
export type Fix =
  | { kind: 'add_dimension'; dimension: Dimension }
  | { kind: 'remove_dimension'; dimension: Dimension }
  | { kind: 'remove_metric'; metric: string; names: Text; block: number }
  | { kind: 'remove_filter'; filter: FilterField; block: number }
  | { kind: 'keep_currency' | 'convert_to'; currency: string }
  | { kind: 'count_by'; conversion: number; names: Text; block: number }
  | { kind: 'count_as_platform'; block: number }
  | { kind: 'by_weekday' | 'by_date' | 'with_last_year' | 'side_by_side' | 'without_blends' }

type FixedDraft = Pick<Draft, 'channels' | 'dimensions'> & Partial<Pick<Draft, 'comparison'>>
type FixKnown = Known & Partial<Pick<KnownHere, 'currencies'>>

/** The changes, any one of which ends the refusal, as far as the rest of the draft allows them. */
export function fixesOf(
  { code, path, detail }: Pick<FieldError, 'code' | 'path' | 'detail'>,
  draft: FixedDraft,
  known: FixKnown,
): Fix[] {
  if (code === 'comparison_not_allowed') return comparisonFixes(detail.reason, draft)
  if (detail.reason === 'blends_need_joined') return [{ kind: 'side_by_side' }, { kind: 'without_blends' }]
  const block = blockIn(path, detail)
  if (detail.reason === 'conversion_not_offered') return conversionFixes(block, draft, known)
  if (code !== 'mixed_currency' && code !== 'combination_not_allowed') return []
  const added = textsIn(detail.add).filter(isDimension).filter(canAdd)
  const removed = textsIn(detail.remove).flatMap(id => removalOf(id, block, { draft, known }))
  return [
    ...added.map(dimension => ({ kind: 'add_dimension' as const, dimension })),
    ...removed,
    ...(code === 'mixed_currency' ? currencyFixes(textsIn(detail.currencies), path, known) : []),
  ]

  function canAdd(dimension: Dimension) {
    return draft.dimensions.length < limits.dimensions && !newRefusal(draft, dimension, known)
  }
}

/** One currency for all, where there are rates; or the accounts of one of them alone. */
function currencyFixes(mixed: string[], path: string, { currencies = [] }: FixKnown): Fix[] {
  const canConvert = mixed.every(currency => currencies.includes(currency))
  return [
    ...(canConvert ? mixed : []).map(currency => ({ kind: 'convert_to' as const, currency })),
    // A column over several channels may be of one currency in each of them.
    ...(path === 'channels' ? mixed : []).map(currency => ({ kind: 'keep_currency' as const, currency })),
  ]
}

function comparisonFixes(reason: unknown, { dimensions: split }: FixedDraft): Fix[] {
  const isBoth = split.includes('week') && split.includes('month')
  if (isBoth) return (['week', 'month'] as const).map(dimension => ({ kind: 'remove_dimension', dimension }))
  if (reason === 'week_needs_weekday') return [{ kind: 'by_weekday' }]
  return reason === 'month_needs_date' ? [{ kind: 'by_date' }] : [{ kind: 'with_last_year' }]
}

function conversionFixes(index: number, { channels }: FixedDraft, known: Known): Fix[] {
  const block = channels[index]
  const offered = block ? conversionsOf(block, known).offered : []
  return [
    ...offered.map(({ id, name, name_zh }) => ({
      kind: 'count_by' as const,
      conversion: id,
      names: { en: name, 'zh-TW': name_zh },
      block: index,
    })),
    { kind: 'count_as_platform' as const, block: index },
  ]
}

/** What a fix changes. */
export function applied(draft: Draft, fix: Fix, known: Known): Partial<Draft> {
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
      return inCurrency(draft, fix.currency, known)
    case 'convert_to':
      return { currency: fix.currency }
    case 'count_by':
      return inBlock(fix.block, () => ({ conversion: fix.conversion }))
    case 'count_as_platform':
      return inBlock(fix.block, () => ({ conversion: null }))
    case 'by_weekday':
      return { comparison: draft.comparison && { ...draft.comparison, align: 'weekday' } }
    case 'by_date':
      return { comparison: draft.comparison && { ...draft.comparison, align: 'date' } }
    case 'with_last_year':
      return { comparison: draft.comparison && { ...draft.comparison, to: 'last_year' } }
    case 'side_by_side':
      return { arrangement: 'joined' }
    case 'without_blends':
      return { blends: [] }
  }
}

/** Only where amounts are added up; a channel that has accounts of other currencies alone is removed. */
function inCurrency({ channels, sort, limit, blends }: Draft, currency: string, known: Known) {
  const isInIt = (id: number) =>
    (known.accounts.find(account => account.id === id)?.currency ?? currency) === currency
  const left = channels.map(block => {
    if (!hasMoney(catalogueIn(block, known), block.metrics)) return block
    const inIt = block.accounts.filter(isInIt)
    return inIt.length === 0 && block.accounts.length > 0 ? null : { ...block, accounts: inIt }
  })
  const next = left.filter(block => block !== null)
  return afterMove(
    { sort, limit, blends },
    { next, moves: left.map(block => (block ? next.indexOf(block) : -1)) },
  )
}

function removalOf(id: string, block: number, { draft, known }: { draft: FixedDraft; known: Known }): Fix[] {
  if (draft.dimensions.some(dimension => dimension === id))
    return isDimension(id) ? [{ kind: 'remove_dimension', dimension: id }] : []
  const of = draft.channels[block]
  if (!of) return []
  if (isFilter(id) && of.filters.some(({ field }) => field === id))
    return [{ kind: 'remove_filter', filter: id, block }]
  const names = metricNames(id, catalogueIn(of, known), known.meanings)
  return of.metrics.includes(id) ? [{ kind: 'remove_metric', metric: id, names, block }] : []
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
    case 'convert_to':
      return fix.currency
    case 'remove_metric':
    case 'count_by':
      return fix.names[language]
    default:
      return ''
  }
}

const textsIn = (list: unknown): string[] =>
  Array.isArray(list) ? list.filter(entry => typeof entry === 'string') : []
const isDimension = (id: string): id is Dimension => Object.hasOwn(dimensions, id)
const isFilter = (id: string): id is FilterField => Object.hasOwn(filterFields, id)
