import { catalogueOf } from '#shared/channels/all.ts'
import { dimensions as allDimensions, filterFields } from '#shared/channels/catalogue.ts'
import { blockLabels } from '#shared/headers.ts'
import { metricIn } from '#shared/metrics.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { timeText } from '#web/ui/times.ts'
import { weekdayOf } from '../schedule-text.ts'
import type { Draft, DraftBlock, DraftField } from './draft.ts'

/** A field of a draft as a person reads it, for comparing two. */
export function useFieldText(): (draft: Draft, field: DraftField) => string {
  const { t, language } = useTranslation('editor')
  const ui = useTranslation('ui')
  const words = useTranslation('reports')

  const blockText = (block: DraftBlock, label: string) => {
    const catalogue = catalogueOf(block.channel)
    const metrics = block.metrics.map(id => metricIn(catalogue, id)?.names[language] ?? id)
    const filters = block.filters.map(
      ({ field, rule, values }) =>
        `${filterFields[field].names[language]} ${t(`rule.${rule}`)} ${values.join(', ')}`,
    )
    return [
      label,
      `${t('block.accounts')}: ${block.accounts.length}`,
      metrics.join(', '),
      ...filters,
      t(`block.on_error_${block.on_error}`),
    ].join('\n')
  }

  const dateText = ({ date_range: { start, end, dynamic_range } }: Draft) => {
    const dynamic = ([1, 2, 3, 4, 5] as const).find(index => index === dynamic_range)
    return dynamic ? ui.t(`date_range.dynamic_${dynamic}`) : `${start ?? ''} – ${end ?? ''}`
  }

  const frequencies = ['off', 'once', 'daily', 'weekly', 'monthly'] as const
  const texts: Partial<Record<DraftField, (draft: Draft) => string>> = {
    channels: ({ channels, header_language }) => {
      const labels = blockLabels(channels, header_language, catalogueOf)
      return channels.map((block, index) => blockText(block, labels[index] ?? '')).join('\n\n')
    },
    dimensions: ({ dimensions }) => dimensions.map(name => allDimensions[name].names[language]).join(', '),
    arrangement: ({ arrangement }) => t(`table.${arrangement}`),
    fill_zero: ({ fill_zero }) => t(fill_zero ? 'yes' : 'no'),
    date_range: dateText,
    update_frequency: draft => t(`schedule.${frequencies[draft.update_frequency] ?? 'off'}`),
    update_time: draft => timeText(draft.update_time, language),
    update_day_of_week: draft =>
      draft.update_day_of_week === null ? '–' : words.t(`weekday.day_${weekdayOf(draft.update_day_of_week)}`),
  }
  return (draft, field) => texts[field]?.(draft) ?? String(draft[field] ?? '–')
}
