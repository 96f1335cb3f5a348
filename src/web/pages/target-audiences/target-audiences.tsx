import { Button, UnstyledButton } from '@mantine/core'
import { IconPlus, IconTargetArrow } from '@tabler/icons-react'
import { useState } from 'react'
import type { TargetAudience } from '#shared/api/target-audiences.ts'
import { listText } from '#shared/language.ts'
import { usePageTitle } from '#web/client/page-title.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import customers from '#web/pages/customers/customers.module.css'
import { ListCard, NothingFound } from '#web/pages/list-card.tsx'
import { DataTable, type Column } from '#web/ui/data-table.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { agesText } from './age-texts.ts'
import {
  DEFAULT_ORDERING,
  PAGE_SIZE,
  TARGET_AUDIENCES,
  targetAudienceFilters,
  useTargetAudiences,
} from './data.ts'
import { emptyDraft, type Draft } from './draft.ts'
import { NewDrawer, TargetAudienceDrawer } from './drawer.tsx'
import { Filters } from './filters.tsx'
import { groupedPlaces, placeText, shortPlaces } from './places.ts'
import { useTargetAudiencesView } from './view.ts'

/** Whom campaigns are for, described once and worded for each platform. */
export function TargetAudiences() {
  const { t } = useTranslation('target_audiences')
  const { view, change } = useTargetAudiencesView()
  const audiences = useTargetAudiences(view)
  const [initial, setInitial] = useState<Draft | null>(null)
  const create = () => setInitial(emptyDraft(view.advertiser ?? null))
  usePageTitle(t('title'))
  return (
    <>
      <PageHeader
        title={t('title')}
        detail={t('detail')}
        actions={
          <Button leftSection={<IconPlus size={16} />} onClick={create}>
            {t('create.title')}
          </Button>
        }
      />
      <ListCard
        toolbar={<Filters />}
        toolbarClass={customers.toolbar}
        list={audiences}
        page={view.page}
        pageSize={PAGE_SIZE}
        onPage={page => change({ page })}
        empty={<NoTargetAudiences onCreate={create} />}
        csv={{ path: TARGET_AUDIENCES, filters: targetAudienceFilters(view) }}
      >
        {(rows, stale) => <TargetAudienceTable rows={rows} stale={stale} />}
      </ListCard>
      {initial !== null && <NewDrawer initial={initial} onClose={() => setInitial(null)} />}
      {view.target_audience !== undefined && initial === null && (
        <TargetAudienceDrawer
          key={view.target_audience}
          id={view.target_audience}
          onDuplicate={draft => {
            setInitial({ ...draft, name: t('copy_of', { name: draft.name }).slice(0, 120) })
            change({ target_audience: undefined })
          }}
          onClose={() => change({ target_audience: undefined })}
        />
      )}
    </>
  )
}

function TargetAudienceTable({ rows, stale }: { rows: readonly TargetAudience[]; stale: boolean }) {
  const { t } = useTranslation('target_audiences')
  const { view, change } = useTargetAudiencesView()
  return (
    <DataTable
      label={t('title')}
      columns={useColumns()}
      rows={rows}
      rowKey={row => row.id}
      rowName={row => row.name}
      ordering={view.ordering ?? DEFAULT_ORDERING}
      onOrdering={ordering => change({ ordering })}
      stale={stale}
    />
  )
}

function useColumns(): Column<TargetAudience>[] {
  const { t, language } = useTranslation('target_audiences')
  const { change } = useTargetAudiencesView()
  return [
    {
      key: 'name',
      header: t('field.name'),
      sort: 'name',
      cell: ({ id, name }) => (
        <UnstyledButton className={customers.open} onClick={() => change({ target_audience: id })}>
          {name}
        </UnstyledButton>
      ),
    },
    {
      key: 'advertiser',
      header: t('field.advertiser'),
      sort: 'advertiser',
      room: 'some',
      narrow: true,
      cell: ({ advertiser_name }) => advertiser_name,
    },
    { key: 'ages', header: t('ages.label'), sort: 'age_min', cell: row => <Ages row={row} /> },
    {
      key: 'genders',
      header: t('field.genders'),
      room: 'much',
      cell: ({ genders }) =>
        genders.length === 0
          ? t('all.genders')
          : listText(
              genders.map(gender => t(`gender.${gender}`)),
              language,
            ),
    },
    {
      key: 'places',
      header: t('field.locations'),
      room: 'some',
      cell: row => <Places row={row} />,
    },
    { key: 'lists', header: t('field.audience_lists'), room: 'much', cell: row => <Lists row={row} /> },
    {
      key: 'changed',
      header: t('changed'),
      sort: 'last_modified_at',
      room: 'much',
      cell: ({ last_modified_at }) => <RelativeTime at={last_modified_at} />,
    },
  ]
}

/** With the platforms that cannot reach all of them. */
function Ages({ row }: { row: TargetAudience }) {
  const { t, language } = useTranslation('target_audiences')
  return (
    <>
      <span data-tabular>{agesText(row)}</span>
      {(['not_possible', 'partial'] as const).map(state => {
        const lacking = row.platforms.filter(ages => ages.state === state)
        const names = lacking.map(({ platform }) => t(`platform.${platform}`))
        return (
          names.length > 0 && (
            <small key={state} className={customers.below}>
              {t(`ages.${state}_at`, { platforms: listText(names, language) })}
            </small>
          )
        )
      })}
    </>
  )
}

const MOST_PLACES = 3

function Places({ row }: { row: TargetAudience }) {
  const { t, language } = useTranslation('target_audiences')
  const places = groupedPlaces(row.locations)
  if (places.length === 0) return t('all.locations')
  const names = places.flatMap(place => shortPlaces(place, language))
  const first = listText(names.slice(0, MOST_PLACES), language)
  const more = names.length - MOST_PLACES
  return (
    <span title={places.map(place => placeText(place, language)).join('\n')}>
      {more > 0 ? t('more', { names: first, count: more }) : first}
    </span>
  )
}

function Lists({ row: { audience_lists: lists } }: { row: TargetAudience }) {
  const { t, language } = useTranslation('target_audiences')
  const named = (side: 'include' | 'exclude') =>
    listText(
      lists[side].map(({ name }) => name),
      language,
    )
  if (lists.include.length + lists.exclude.length === 0) return '–'
  return (['include', 'exclude'] as const)
    .filter(side => lists[side].length > 0)
    .map(side => <div key={side}>{t(`lists.short_${side}`, { names: named(side) })}</div>)
}

function NoTargetAudiences({ onCreate }: { onCreate: () => void }) {
  const { t } = useTranslation('target_audiences')
  const { view, change } = useTargetAudiencesView()
  if (view.search !== '' || view.advertiser !== undefined)
    return (
      <NothingFound
        title={t('nothing_found')}
        clear={t('clear')}
        onClear={() => change({ search: '', advertiser: undefined })}
      />
    )
  return (
    <EmptyState
      icon={IconTargetArrow}
      title={t('empty')}
      detail={t('empty_detail')}
      actions={<Button onClick={onCreate}>{t('create.title')}</Button>}
    />
  )
}
