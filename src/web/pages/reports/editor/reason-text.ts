import type { Violation } from '#shared/block-rules.ts'
import { catalogueOf } from '#shared/channels/all.ts'
import { isChannel, dimensions, filterFields } from '#shared/channels/catalogue.ts'
import { listText, type Language, type Text } from '#shared/language.ts'
import { isErrorCode } from '#shared/errors.ts'
import { metricIn } from '#shared/metrics.ts'
import type { useTranslation } from '#web/i18n/use-translation.ts'
import { problemText } from '#web/ui/problem-text.tsx'
import type { DraftBlock } from './draft.ts'
import { catalogueIn, metricNames, type Known } from './known.ts'

export interface Words {
  t: ReturnType<typeof useTranslation<'editor'>>['t']
  language: Language
  audience: 'internal' | 'external'
}

interface Reason {
  code: string
  path?: string
  detail: Violation['detail'] | Record<string, unknown>
  /** What its metrics are called in their block; left out: as in the catalogue. */
  names?: Readonly<Record<string, Text>>
}

/** Why something may not be saved, with the names of what it is about and how to fix it. */
export function reasonText(reason: Reason, { t, language, audience }: Words): string {
  const { code, path, detail } = reason
  const names = namesOf(reason, language, t('reason.or'))
  switch (detail.reason) {
    case 'dimension_not_offered':
      return t('reason.dimension_not_offered', names)
    case 'metric_not_offered':
      return t('reason.metric_not_offered', names)
    case 'filter_not_offered':
      return t('reason.filter_not_offered', names)
    case 'metric_beside_dimension':
      return t('reason.metric_beside_dimension', names)
    case 'metric_without_dimension':
      return t('reason.metric_without_dimension', names)
    case 'metric_over_several_accounts':
      return t('reason.metric_over_several_accounts', names)
    case 'metric_beside_metric':
      return t('reason.metric_beside_metric', names)
    case 'metric_not_of_provider':
      return t('reason.metric_not_of_provider', names)
    case 'dimension_not_of_provider':
      return t('reason.dimension_not_of_provider', names)
    case 'dimensions_apart':
      return t('reason.dimensions_apart', names)
    case 'metric_beside_finer_filter':
      return t('reason.metric_beside_finer_filter', names)
    case 'conversion_not_offered':
      return t('reason.conversion_not_offered', names)
    case 'money_without_month':
      return t('reason.money_without_month', names)
    case 'blends_need_joined':
      return t('reason.blends_need_joined')
    case 'week_needs_weekday':
      return t('reason.week_needs_weekday')
    case 'month_needs_date':
      return t('reason.month_needs_date')
    case 'month_needs_first':
      return t('reason.month_needs_first')
    default:
  }
  if (code === 'mixed_currency' && Array.isArray(detail.currencies))
    return t('reason.mixed_currency', { ...names, currencies: listText(detail.currencies, language) })
  if (code === 'history_limit' && typeof detail.earliest === 'string')
    return detail.channel === undefined
      ? t('dates.earliest', { day: detail.earliest })
      : t(path === 'comparison' ? 'reason.compared_before_platform' : 'reason.before_platform', {
          ...names,
          day: detail.earliest,
        })
  if (code === 'range_too_long' && typeof detail.latest === 'string')
    return t('dates.latest', { day: detail.latest, days: Number(detail.days) })
  if (code === 'too_many_channels' && typeof detail.count === 'number')
    return t('reason.too_many_channels', { limit: Number(detail.limit), count: detail.count })
  return isErrorCode(code) ? problemText(code, audience, language) : t('failed')
}

/** A reason with the names of its metrics, as the block that it is about means them. */
export function named<About extends Reason>(
  reason: About,
  block: DraftBlock | undefined,
  known: Known,
): About {
  if (!block) return reason
  const { detail } = reason
  const catalogue = catalogueIn(block, known)
  const lists = [detail.add, detail.remove].filter(list => Array.isArray(list))
  const ids = [detail.metric, detail.other, ...lists.flat()].filter(id => typeof id === 'string')
  const names = Object.fromEntries(ids.map(id => [id, metricNames(id, catalogue, known.meanings)]))
  return { ...reason, names }
}

/** What the reason is about, in the reader's words. */
function namesOf({ detail, names = {} }: Reason, language: Language, or: string) {
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  const channel = text(detail.channel)
  const catalogue = catalogueOf(isChannel(channel) ? channel : 'fb')
  const metricOf = (id: string) => (names[id] ?? metricIn(catalogue, id)?.names)?.[language] ?? id
  const nameOf = (id: string): string => {
    if (isDimension(id)) return dimensions[id].names[language]
    if (isFilter(id)) return filterFields[id].names[language]
    return metricOf(id)
  }
  return {
    channel: catalogue.names[language],
    metric: metricOf(text(detail.metric)),
    dimension: nameOf(text(detail.dimension)),
    filter: nameOf(text(detail.filter)),
    other: nameOf(text(detail.other)),
    add: Array.isArray(detail.add) ? detail.add.map(id => nameOf(text(id))).join(or) : '',
  }
}

const isDimension = (id: string): id is keyof typeof dimensions => Object.hasOwn(dimensions, id)
const isFilter = (id: string): id is keyof typeof filterFields => Object.hasOwn(filterFields, id)
