import { Button } from '@mantine/core'
import { IconPlus, IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useMe } from '#web/client/me.ts'
import { usePageTitle } from '#web/client/page-title.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ListCard, NothingFound } from '#web/pages/list-card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { filtersOf, PAGE_SIZE, PATH, useUsers } from './data.ts'
import { Filters } from './filters.tsx'
import { PersonDialog } from './person-dialog.tsx'
import { UserActionDialog, type UserAction } from './user-action.tsx'
import { UserTable } from './user-table.tsx'
import styles from './users.module.css'
import { isFiltered, NO_FILTERS, useView } from './view.ts'

/** The people who may sign in: everybody sees whom they work with, a superuser manages the accounts. */
export function Users() {
  const { t } = useTranslation('users')
  const { view, change } = useView()
  const users = useUsers(view)
  const me = useMe()
  const [action, setAction] = useState<UserAction | null>(null)
  const manages = me.identity === 'superuser'
  usePageTitle(t('title'))
  return (
    <>
      <PageHeader
        title={t('title')}
        detail={t(manages ? 'detail_keeper' : me.identity === 'external_user' ? 'detail_client' : 'detail')}
        actions={
          manages && (
            <Button leftSection={<IconPlus size={16} />} onClick={() => setAction({ kind: 'create' })}>
              {t('create.title')}
            </Button>
          )
        }
      />
      <ListCard
        toolbar={<Filters />}
        toolbarClass={styles.toolbar}
        list={users}
        page={view.page}
        pageSize={PAGE_SIZE}
        onPage={page => change({ page })}
        empty={<Nobody />}
        csv={{ path: PATH, filters: filtersOf(view) }}
      >
        {(rows, stale) => <UserTable users={rows} stale={stale} manages={manages} onAction={setAction} />}
      </ListCard>
      {view.user !== undefined && (
        <PersonDialog id={view.user} onAction={setAction} onClose={() => change({ user: undefined })} />
      )}
      {action && <UserActionDialog action={action} onAction={setAction} onClose={() => setAction(null)} />}
    </>
  )
}

function Nobody() {
  const { t } = useTranslation('users')
  const { view, change } = useView()
  if (!isFiltered(view)) return <EmptyState icon={IconSearch} title={t('empty')} />
  return <NothingFound title={t('empty')} clear={t('filter.clear')} onClear={() => change(NO_FILTERS)} />
}
