import { NumberInput } from '@mantine/core'
import '@mantine/core/styles/NumberInput.layer.css'
import { memo } from 'react'
import { catalogueOf } from '#shared/channels/all.ts'
import { dimensions as allDimensions } from '#shared/channels/catalogue.ts'
import { blockLabels } from '#shared/headers.ts'
import { limits } from '#shared/limits.ts'
import { sortTarget } from '#shared/table-sort.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { SegmentedField } from '#web/ui/segmented-field.tsx'
import { SelectField, type Option } from '#web/ui/select-field.tsx'
import type { Draft } from './draft.ts'
import styles from './editor.module.css'
import { catalogueIn, metricNames, type Known } from './known.ts'
import type { Editing } from './use-editor.ts'

export type SortedDraft = Pick<Draft, 'sort' | 'limit' | 'dimensions' | 'channels' | 'arrangement'>

interface SortFieldsProps {
  draft: SortedDraft
  known: Known
  editing: Editing
}

/** In which order the rows are, and how many of them are written. */
export const SortFields = memo(function SortFields({ draft, known, editing }: SortFieldsProps) {
  const { t } = useTranslation('editor')
  const sortName = useSortName(known)
  const { change, errors } = editing
  const { sort, limit, channels } = draft
  const options = useSortOptions(draft, known)
  const value = sort === null ? '' : keyOf(draft, sort)
  const isKnown = options.some(option => option.value === value)
  const keepsPrevious = limit !== null && channels.some(({ on_error }) => on_error === 'keep_previous')
  return (
    <>
      <div className={styles.pair}>
        <SelectField
          label={t('table.sort')}
          value={value}
          options={
            isKnown || sort === null
              ? options
              : [...options, { value, label: t('table.sort_gone', { name: sortName(draft, sort) }) }]
          }
          searchable
          onChange={chosen => change({ sort: sortOf(chosen) })}
          error={errors.at('sort')}
        />
        {sort !== null && (
          <SegmentedField
            label={t('table.direction')}
            value={sort.descending ? 'descending' : 'ascending'}
            options={(['descending', 'ascending'] as const).map(direction => ({
              value: direction,
              label: t(`table.${direction}`),
            }))}
            onChange={direction => change({ sort: { ...sort, descending: direction === 'descending' } })}
          />
        )}
      </div>
      <NumberInput
        label={t('table.limit')}
        description={t(keepsPrevious ? 'table.limit_without_previous' : 'table.limit_hint')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        placeholder={t('table.limit_all')}
        value={limit ?? ''}
        min={1}
        max={limits.rows}
        allowDecimal={false}
        allowNegative={false}
        thousandSeparator=","
        onChange={typed => {
          const rows = Number(typed)
          change({ limit: typed === '' || rows < 1 ? null : Math.min(rows, limits.rows) })
        }}
        error={errors.at('limit')}
        w={220}
      />
    </>
  )
})

/** "cost 1": the metric of the second channel. */
const keyOf = (draft: SortedDraft, sort: NonNullable<Draft['sort']>): string => {
  const target = sortTarget(draft, sort)
  const block = target && 'block' in target && draft.arrangement === 'joined' ? target.block : sort.block
  return [sort.by, ...(block === null ? [] : [block])].join(' ')
}

/** Numbers begin with the largest, as tops of lists do. */
function sortOf(key: string): Draft['sort'] {
  const [by = '', block] = key.split(' ')
  if (by === '') return null
  return { by, block: block === undefined ? null : Number(block), descending: !isDimension(by) }
}

function useSortOptions({ dimensions, channels, arrangement }: SortedDraft, known: Known): Option<string>[] {
  const { t, language } = useTranslation('editor')
  const labels = blockLabels(channels, language, catalogueOf)
  const metrics = channels.flatMap((of, block) => {
    const catalogue = catalogueIn(of, known)
    return of.metrics.map(id => ({
      id,
      block,
      name: metricNames(id, catalogue, known.meanings)[language],
    }))
  })
  const shared = metrics.filter(({ id }, at) => metrics.findIndex(other => other.id === id) === at)
  return [
    { value: '', label: t('table.sort_default') },
    ...dimensions.map(id => ({ value: id, label: allDimensions[id].names[language] })),
    ...(arrangement === 'stacked'
      ? shared.map(({ id, name }) => ({ value: id, label: name }))
      : metrics.map(({ id, block, name }) => ({
          value: `${id} ${block}`,
          label:
            channels.length > 1 ? t('table.sort_of', { metric: name, channel: labels[block] ?? '' }) : name,
        }))),
  ]
}

/** What a table is sorted by, as a person reads it. */
export function useSortName(known: Known): (draft: SortedDraft, sort: NonNullable<Draft['sort']>) => string {
  const { t, language } = useTranslation('editor')
  return ({ channels, arrangement, ...draft }, sort) => {
    if (isDimension(sort.by)) return allDimensions[sort.by].names[language]
    const target = sortTarget({ channels, ...draft }, sort)
    const block = target && 'block' in target ? target.block : channels.findIndex(() => true)
    const of = channels[block]
    const name = of ? metricNames(sort.by, catalogueIn(of, known), known.meanings)[language] : sort.by
    if (arrangement === 'stacked' || channels.length < 2) return name
    const label = blockLabels(channels, language, catalogueOf)[block] ?? ''
    return t('table.sort_of', { metric: name, channel: label })
  }
}

const isDimension = (id: string): id is keyof typeof allDimensions => Object.hasOwn(allDimensions, id)
