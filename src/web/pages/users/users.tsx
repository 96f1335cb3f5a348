import { Button } from '@mantine/core'
import { IconPlus, IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useMe } from '#web/client/me.ts'
import { usePageTitle } from '#web/client/page-title.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { CsvButton } from '#web/pages/csv-button.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { PagedList } from '#web/ui/paged-list.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { filtersOf, PAGE_SIZE, PATH, useDepartments, useUsers } from './data.ts'
import { UserDeedDialog, type UserDeed } from './user-deed.tsx'
import { UserTable } from './user-table.tsx'
import styles from './users.module.css'
import { isFiltered, useView } from './view.ts'

/** The people who may sign in: everybody sees whom they work with, a superuser keeps the accounts. */
export function Users() {
  const { t } = useTranslation('users')
  const { view, change } = useView()
  const users = useUsers(view)
  const me = useMe()
  const [deed, setDeed] = useState<UserDeed | null>(null)
  const keeps = me.identity === 'superuser'
  usePageTitle(t('title'))
  return (
    <>
      <PageHeader
        title={t('title')}
        detail={t(keeps ? 'detail_keeper' : me.identity === 'external_user' ? 'detail_client' : 'detail')}
        actions={
          keeps && (
            <Button leftSection={<IconPlus size={16} />} onClick={() => setDeed({ kind: 'create' })}>
              {t('create.title')}
            </Button>
          )
        }
      />
      <Card padding="flush">
        <Toolbar />
        <PagedList
          list={users}
          page={view.page}
          page_size={PAGE_SIZE}
          onPage={page => change({ page })}
          empty={<Nobody />}
          foot={<CsvButton path={PATH} filters={filtersOf(view)} />}
        >
          {(rows, stale) => <UserTable users={rows} stale={stale} keeps={keeps} onDeed={setDeed} />}
        </PagedList>
      </Card>
      {deed && <UserDeedDialog deed={deed} onDeed={setDeed} onClose={() => setDeed(null)} />}
    </>
  )
}

const ANY = 'any'

function Toolbar() {
  const { t } = useTranslation('users')
  const { view, change } = useView()
  const departments = useDepartments().data ?? []
  const me = useMe()
  return (
    <div className={styles.toolbar} role="search">
      <SearchField label={t('search')} value={view.search} onSearch={search => change({ search })} />
      {me.identity !== 'external_user' && (
        <SelectField
          aria-label={t('column.department')}
          value={String(view.department ?? ANY)}
          options={[
            { value: ANY, label: t('filter.department_any') },
            ...departments.map(({ id, name }) => ({ value: String(id), label: name })),
          ]}
          onChange={value => change({ department: value === ANY ? undefined : Number(value) })}
        />
      )}
      <SelectField
        aria-label={t('column.state')}
        value={String(view.is_active ?? ANY)}
        options={[
          { value: ANY, label: t('filter.state_any') },
          { value: '1', label: t('state.open') },
          { value: '0', label: t('state.closed') },
        ]}
        onChange={value => change({ is_active: value === ANY ? undefined : value === '1' ? 1 : 0 })}
      />
    </div>
  )
}

function Nobody() {
  const { t } = useTranslation('users')
  const { view, change } = useView()
  return (
    <EmptyState
      icon={IconSearch}
      title={t('empty')}
      actions={
        isFiltered(view) && (
          <Button
            variant="default"
            onClick={() => change({ search: '', department: undefined, is_active: undefined })}
          >
            {t('filter.clear')}
          </Button>
        )
      }
    />
  )
}
