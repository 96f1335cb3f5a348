import { Button, VisuallyHidden } from '@mantine/core'
import {
  IconArrowsJoin,
  IconCategory,
  IconPencil,
  IconPlus,
  IconTrash,
  IconUpload,
} from '@tabler/icons-react'
import { useState } from 'react'
import type { Industry } from '#shared/api/customers.ts'
import { mayReach } from '#shared/access.ts'
import { LinkText } from '#web/client/links.tsx'
import { useMe } from '#web/client/me.ts'
import { usePageTitle } from '#web/client/page-title.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ListCard, NothingFound } from '#web/pages/list-card.tsx'
import { ActionMenu } from '#web/ui/action-menu.tsx'
import { Count } from '#web/ui/count.tsx'
import { DataTable, type Column } from '#web/ui/data-table.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import styles from './customers.module.css'
import { INDUSTRIES, industryFilters, PAGE_SIZE, useIndustries } from './data.ts'
import { IndustryActionDialog, type IndustryAction } from './industry-dialogs.tsx'
import { useIndustriesView } from './view.ts'

/** The industries of the customers, each with its name in both languages. */
export function Industries() {
  const { t } = useTranslation('industries')
  const { view, change } = useIndustriesView()
  const industries = useIndustries(view)
  const [action, setAction] = useState<IndustryAction | null>(null)
  usePageTitle(t('title'))
  return (
    <>
      <PageHeader
        title={t('title')}
        detail={t('detail')}
        actions={
          <>
            <Button
              variant="default"
              leftSection={<IconUpload size={16} />}
              onClick={() => setAction({ kind: 'import' })}
            >
              {t('import')}
            </Button>
            <Button leftSection={<IconPlus size={16} />} onClick={() => setAction({ kind: 'create' })}>
              {t('create.title')}
            </Button>
          </>
        }
      />
      <ListCard
        toolbar={
          <SearchField label={t('search')} value={view.search} onSearch={search => change({ search })} />
        }
        toolbarClass={styles.toolbar}
        list={industries}
        page={view.page}
        pageSize={PAGE_SIZE}
        onPage={page => change({ page })}
        empty={<NoIndustries onAction={setAction} />}
        csv={{ path: INDUSTRIES, filters: industryFilters(view) }}
      >
        {(rows, stale) => <IndustryTable rows={rows} stale={stale} onAction={setAction} />}
      </ListCard>
      {action && <IndustryActionDialog action={action} onClose={() => setAction(null)} />}
    </>
  )
}

interface TableProps {
  rows: readonly Industry[]
  stale: boolean
  onAction: (action: IndustryAction) => void
}

function IndustryTable({ rows, stale, onAction }: TableProps) {
  const { t } = useTranslation('industries')
  const { view, change } = useIndustriesView()
  return (
    <DataTable
      label={t('title')}
      columns={useColumns(onAction)}
      rows={rows}
      rowKey={industry => industry.id}
      rowName={industry => industry.name}
      ordering={view.ordering ?? 'name'}
      onOrdering={ordering => change({ ordering })}
      stale={stale}
    />
  )
}

function useColumns(onAction: TableProps['onAction']): Column<Industry>[] {
  const { t } = useTranslation('industries')
  return [
    {
      key: 'name',
      header: t('name'),
      sort: 'name',
      cell: ({ name }) => <span className={styles.name}>{name}</span>,
    },
    {
      key: 'name_zh',
      header: t('name_zh'),
      sort: 'name_zh',
      cell: ({ name_zh }) => <span lang="zh-Hant-TW">{name_zh}</span>,
    },
    {
      key: 'advertisers',
      header: t('advertisers'),
      sort: 'advertisers',
      align: 'end',
      width: '130px',
      cell: ({ id, advertisers }) =>
        advertisers === 0 ? (
          <Count value={0} />
        ) : (
          <LinkText to="/customer/advertiser" search={{ search: '', page: 1, industry: id }}>
            <Count value={advertisers} />
          </LinkText>
        ),
    },
    {
      key: 'menu',
      header: <VisuallyHidden>{t('actions')}</VisuallyHidden>,
      width: '48px',
      align: 'end',
      cell: industry => <IndustryMenu industry={industry} onAction={onAction} />,
    },
  ]
}

function IndustryMenu({ industry, onAction }: { industry: Industry } & Pick<TableProps, 'onAction'>) {
  const { t } = useTranslation('industries')
  const { t: tCustomers } = useTranslation('customers')
  const me = useMe()
  const action = (kind: 'rename' | 'merge' | 'delete') => () => onAction({ kind, industry })
  return (
    <ActionMenu
      label={t('actions_of', { name: industry.name })}
      actions={[
        { key: 'rename', label: t('rename.action'), icon: IconPencil, onClick: action('rename') },
        ...(mayReach(me, 'manager_or_finance')
          ? [
              { key: 'merge', label: t('merge.action'), icon: IconArrowsJoin, onClick: action('merge') },
              {
                key: 'delete',
                label: tCustomers('action.delete'),
                icon: IconTrash,
                tone: 'danger' as const,
                onClick: action('delete'),
              },
            ]
          : []),
      ]}
    />
  )
}

function NoIndustries({ onAction }: Pick<TableProps, 'onAction'>) {
  const { t } = useTranslation('industries')
  const { view, change } = useIndustriesView()
  if (view.search !== '')
    return (
      <NothingFound title={t('nothing_found')} clear={t('clear')} onClear={() => change({ search: '' })} />
    )
  return (
    <EmptyState
      icon={IconCategory}
      title={t('empty')}
      detail={t('empty_detail')}
      actions={<Button onClick={() => onAction({ kind: 'create' })}>{t('create.title')}</Button>}
    />
  )
}
