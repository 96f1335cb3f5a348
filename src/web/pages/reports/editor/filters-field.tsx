import { ActionIcon, Button, Input } from '@mantine/core'
import { IconFilterPlus, IconX } from '@tabler/icons-react'
import { useDeferredValue, useState } from 'react'
import { limits } from '#shared/limits.ts'
import { catalogueOf } from '#shared/channels/all.ts'
import { filterFields, filterRules } from '#shared/channels/catalogue.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { SelectField } from '#web/ui/select-field.tsx'
import type { BlockProps } from './block-card.tsx'
import type { DraftBlock } from './draft.ts'
import styles from './block-card.module.css'
import { FilterValuesField } from './filter-values-field.tsx'

type Filter = DraftBlock['filters'][number]

/** Which rows count: every filter must hold; of one filter's values, one. */
export function FiltersField({ editing: { edits, errors }, index, block }: BlockProps) {
  const { t } = useTranslation('editor')
  const { filters } = block
  const [atFirst] = useState(filters.length)
  const catalogue = catalogueOf(block.channel)
  const set = (changed: Filter[]) => edits.put(index, { filters: changed })

  /** The campaign's name is what people filter by most. */
  const field = catalogue.filters.find(name => name === 'campaign_name') ?? catalogue.filters[0]
  const add = () => field && set([...filters, { field, rule: 'CONTAINS', values: [] }])

  return (
    <Input.Wrapper labelElement="div" label={t('block.filters')}>
      <div className={styles.filters}>
        {filters.map((filter, position) => (
          <FilterRow
            // Filters have no ids; their index identifies them.
            key={String(position)}
            block={block}
            filter={filter}
            fresh={position >= atFirst}
            fields={catalogue.filters}
            error={
              errors.at(`channels.${index}.filters.${position}`) ??
              errors.at(`channels.${index}.filters.${position}.values`)
            }
            onChange={changed => set(filters.with(position, changed))}
            onRemove={() => set(filters.toSpliced(position, 1))}
          />
        ))}
      </div>
      <Button
        variant="subtle"
        size="compact-xs"
        leftSection={<IconFilterPlus size={14} stroke={1.7} />}
        disabled={filters.length >= limits.filters}
        onClick={add}
      >
        {t('block.add_filter')}
      </Button>
    </Input.Wrapper>
  )
}

interface FilterRowProps {
  block: DraftBlock
  filter: Filter
  /** It has just been added: its fields may come a moment after the click. */
  fresh: boolean
  fields: readonly Filter['field'][]
  error: string | undefined
  onChange: (filter: Filter) => void
  onRemove: () => void
}

function FilterRow(props: FilterRowProps) {
  const drawn = useDeferredValue(true, !props.fresh)
  return drawn ? <FilterFields {...props} /> : <div className={styles.filterComing} aria-busy />
}

function FilterFields({ block, filter, fields, error, onChange, onRemove }: FilterRowProps) {
  const { t, language } = useTranslation('editor')
  return (
    <div className={styles.filter}>
      <SelectField
        aria-label={t('block.filter_field')}
        value={filter.field}
        options={fields.map(field => ({ value: field, label: filterFields[field].names[language] }))}
        onChange={field => onChange({ ...filter, field })}
      />
      <SelectField
        aria-label={t('block.filter_rule')}
        value={filter.rule}
        options={filterRules.map(rule => ({ value: rule, label: t(`rule.${rule}`) }))}
        onChange={rule => onChange({ ...filter, rule })}
      />
      <div className={styles.values} data-typing>
        <FilterValuesField
          // Other suggestions, and nothing that was begun for the field before.
          key={filter.field}
          block={block}
          filter={filter}
          onChange={values => onChange({ ...filter, values })}
          error={error}
        />
      </div>
      <ActionIcon
        mt={4}
        onClick={onRemove}
        aria-label={t('block.remove_filter')}
        title={t('block.remove_filter')}
      >
        <IconX size={16} stroke={1.7} />
      </ActionIcon>
    </div>
  )
}
