import { ActionIcon } from '@mantine/core'
import { IconLayoutGrid, IconList } from '@tabler/icons-react'
import { imageFormats } from '#shared/materials/image-formats.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { MaterialFilters } from '#web/pages/materials/material-filters.tsx'
import { FilterField } from '#web/ui/filter-field.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { DEFAULT_ORDERING, knownFormat } from './data.ts'
import styles from './images.module.css'
import { layouts } from './search.ts'
import { useImagesView } from './view.ts'

export function ImageFilters() {
  const { t } = useTranslation('images')
  const { view, layout, change } = useImagesView()
  return (
    <>
      <MaterialFilters kind="image" search={t('search')} view={view} onChange={change}>
        <FilterField
          aria-label={t('filter.format')}
          any={t('filter.format_any')}
          options={imageFormats.map(format => ({ value: format, label: t(`format.${format}`) }))}
          value={knownFormat(view.format)}
          onChange={format => change({ format })}
        />
      </MaterialFilters>
      <div className={styles.drawn}>
        {/* A table has its own headings for it. */}
        {layout === 'grid' && <Sorting />}
        <div role="group" aria-label={t('layout.label')} className={styles.layouts}>
          {layouts.map(each => {
            const Icon = each === 'grid' ? IconLayoutGrid : IconList
            return (
              <ActionIcon
                key={each}
                size="lg"
                aria-label={t(`layout.${each}`)}
                title={t(`layout.${each}`)}
                aria-pressed={layout === each}
                onClick={() => change({ layout: each })}
              >
                <Icon size={18} stroke={1.7} />
              </ActionIcon>
            )
          })}
        </div>
      </div>
    </>
  )
}

const orderings = ['-id', 'id', 'name', '-name', '-size', 'size', '-width', 'width'] as const

function Sorting() {
  const { t } = useTranslation('images')
  const { view, change } = useImagesView()
  const ordering = view.ordering ?? DEFAULT_ORDERING
  return (
    <SelectField
      aria-label={t('sort.label')}
      value={orderings.find(each => each === ordering) ?? null}
      placeholder={t('sort.label')}
      options={orderings.map(value => ({
        value,
        label: t(`sort.${value.startsWith('-') ? 'down' : 'up'}.${fieldOf(value)}`),
      }))}
      onChange={value => change({ ordering: value })}
    />
  )
}

const fields = ['id', 'name', 'size', 'width'] as const
const fieldOf = (ordering: (typeof orderings)[number]) =>
  fields.find(field => ordering.endsWith(field)) ?? fields[0]
