import { Button, UnstyledButton } from '@mantine/core'
import { IconBriefcase, IconPlus, IconUpload } from '@tabler/icons-react'
import { useState } from 'react'
import type { Agent } from '#shared/api/customers.ts'
import { LinkText } from '#web/client/links.tsx'
import { usePageTitle } from '#web/client/page-title.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ListCard, NothingFound } from '#web/pages/list-card.tsx'
import { Count } from '#web/ui/count.tsx'
import { DataTable, type Column } from '#web/ui/data-table.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { FilterField } from '#web/ui/filter-field.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { formatRate } from '#web/ui/rate.ts'
import { SearchField } from '#web/ui/search-field.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { AgentDrawer, NewAgentDrawer } from './agent-drawer.tsx'
import styles from './customers.module.css'
import { AGENTS, agentFilters, PAGE_SIZE, useAgents } from './data.ts'
import { ImportDialog } from '#web/pages/rows/import-dialog.tsx'
import { useAgentsView } from './view.ts'

/** The agencies through which customers come, and what they get for it. */
export function Agents() {
  const { t } = useTranslation('agents')
  const { view, change } = useAgentsView()
  const agents = useAgents(view)
  const [open, setOpen] = useState<'new' | 'import' | null>(null)
  const close = () => setOpen(null)
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
              onClick={() => setOpen('import')}
            >
              {t('import')}
            </Button>
            <Button leftSection={<IconPlus size={16} />} onClick={() => setOpen('new')}>
              {t('create.title')}
            </Button>
          </>
        }
      />
      <ListCard
        toolbar={<Filters />}
        toolbarClass={styles.toolbar}
        list={agents}
        page={view.page}
        pageSize={PAGE_SIZE}
        onPage={page => change({ page })}
        empty={<NoAgents onCreate={() => setOpen('new')} />}
        csv={{ path: AGENTS, filters: agentFilters(view) }}
      >
        {(rows, stale) => <AgentTable rows={rows} stale={stale} />}
      </ListCard>
      {open === 'new' && <NewAgentDrawer onClose={close} />}
      {open === 'import' && (
        <ImportDialog
          title={t('import')}
          path={AGENTS}
          columns={[t('field.name'), t('field.tax_id'), t('field.commission_rate')]}
          onClose={close}
        />
      )}
      {view.agent !== undefined && (
        <AgentDrawer key={view.agent} id={view.agent} onClose={() => change({ agent: undefined })} />
      )}
    </>
  )
}

function Filters() {
  const { t } = useTranslation('agents')
  const { t: tCustomers } = useTranslation('customers')
  const { view, change } = useAgentsView()
  return (
    <>
      <SearchField label={t('search')} value={view.search} onSearch={search => change({ search })} />
      <FilterField
        aria-label={tCustomers('state.label')}
        any={tCustomers('state.any')}
        options={[
          { value: 'active', label: tCustomers('state.active') },
          { value: 'inactive', label: tCustomers('state.inactive') },
        ]}
        value={view.is_active === undefined ? undefined : view.is_active ? 'active' : 'inactive'}
        onChange={state => change({ is_active: state === undefined ? undefined : state === 'active' })}
      />
    </>
  )
}

function AgentTable({ rows, stale }: { rows: readonly Agent[]; stale: boolean }) {
  const { t } = useTranslation('agents')
  const { view, change } = useAgentsView()
  return (
    <DataTable
      label={t('title')}
      columns={useColumns()}
      rows={rows}
      rowKey={agent => agent.id}
      rowName={agent => agent.name}
      ordering={view.ordering ?? 'name'}
      onOrdering={ordering => change({ ordering })}
      stale={stale}
    />
  )
}

function useColumns(): Column<Agent>[] {
  const { t, language } = useTranslation('agents')
  return [
    { key: 'name', header: t('field.name'), sort: 'name', cell: agent => <AgentName agent={agent} /> },
    {
      key: 'commission',
      header: t('field.commission_rate'),
      sort: 'commission_rate',
      narrow: true,
      room: 'some',
      cell: ({ commission_rate, commission_base }) =>
        t(`commission.${commission_base}`, { rate: formatRate(commission_rate, language) }),
    },
    {
      key: 'contact',
      header: t('field.contacts'),
      room: 'much',
      cell: ({ contacts: [first] }) =>
        first && (
          <>
            {first.name}
            <small className={styles.below}>{first.email || first.phone}</small>
          </>
        ),
    },
    {
      key: 'advertisers',
      header: t('advertisers'),
      sort: 'advertisers',
      align: 'end',
      width: '120px',
      cell: ({ id, advertisers }) =>
        advertisers === 0 ? (
          <Count value={0} />
        ) : (
          <LinkText to="/customer/advertiser" search={{ search: '', page: 1, agent: id }}>
            <Count value={advertisers} />
          </LinkText>
        ),
    },
  ]
}

function AgentName({ agent: { id, name, tax_id, is_active } }: { agent: Agent }) {
  const { t } = useTranslation('customers')
  const { change } = useAgentsView()
  return (
    <>
      <UnstyledButton className={styles.open} onClick={() => change({ agent: id })}>
        {name}
      </UnstyledButton>{' '}
      {!is_active && <StatusBadge tone="neutral" label={t('state.inactive')} />}
      {tax_id !== '' && <small className={styles.below}>{tax_id}</small>}
    </>
  )
}

function NoAgents({ onCreate }: { onCreate: () => void }) {
  const { t } = useTranslation('agents')
  const { view, change } = useAgentsView()
  if (view.search !== '' || view.is_active !== undefined)
    return (
      <NothingFound
        title={t('nothing_found')}
        clear={t('clear')}
        onClear={() => change({ search: '', is_active: undefined })}
      />
    )
  return (
    <EmptyState
      icon={IconBriefcase}
      title={t('empty')}
      detail={t('empty_detail')}
      actions={<Button onClick={onCreate}>{t('create.title')}</Button>}
    />
  )
}
