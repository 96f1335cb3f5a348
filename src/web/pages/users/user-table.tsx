import { VisuallyHidden } from '@mantine/core'
import type { User } from '#shared/api/people.ts'
import { useMe } from '#web/client/me.ts'
import { LinkText } from '#web/client/links.tsx'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useDepartments } from '#web/pages/use-departments.ts'
import { DataTable, type Column } from '#web/ui/data-table.tsx'
import { ContactLines } from './contact-lines.tsx'
import { DEFAULT_ORDERING } from './data.ts'
import { usePersonName } from './person-name.ts'
import { usersSearch } from './search.ts'
import { State } from './state.tsx'
import type { UserAction } from './user-action.tsx'
import { planNames } from './user-fields.tsx'
import { UserMenu } from './user-menu.tsx'
import styles from './users.module.css'
import { useView } from './view.ts'

interface UserTableProps {
  users: readonly User[]
  stale: boolean
  /** The reader manages the accounts. */
  manages: boolean
  onAction: (action: UserAction) => void
}

export function UserTable({ users, stale, manages, onAction }: UserTableProps) {
  const { t } = useTranslation('users')
  const { view, change } = useView()
  const nameOf = usePersonName()
  const state: Column<User> = {
    key: 'state',
    header: t('column.state'),
    room: 'some',
    narrow: true,
    width: '132px',
    cell: user => (
      <State user={user} {...(manages && { onTransfer: () => onAction({ kind: 'transfer', user }) })} />
    ),
  }
  const menu: Column<User> = {
    key: 'menu',
    header: <VisuallyHidden>{t('column.menu')}</VisuallyHidden>,
    width: '48px',
    align: 'end',
    cell: user => <UserMenu user={user} onAction={onAction} />,
  }
  const columns = [...useColumns(), state]
  return (
    <DataTable
      label={t('title')}
      columns={manages ? [...columns, menu] : columns}
      rows={users}
      rowKey={user => user.user_id}
      rowName={nameOf}
      ordering={view.ordering ?? DEFAULT_ORDERING}
      onOrdering={ordering => change({ ordering })}
      stale={stale}
    />
  )
}

function useColumns(): Column<User>[] {
  const { t } = useTranslation('users')
  const me = useMe()
  const columns: Column<User>[] = [
    {
      key: 'name',
      header: t('column.name'),
      sort: 'full_name',
      cell: user => <Name user={user} />,
    },
    {
      key: 'department',
      header: t('column.department'),
      ...(me.identity !== 'external_user' && { sort: 'department' }),
      room: 'some',
      narrow: true,
      cell: user => <Department user={user} />,
    },
    {
      key: 'position',
      header: t('column.position'),
      ...(me.identity !== 'external_user' && { sort: 'position' }),
      room: 'much',
      cell: ({ position }) => position || <span className={styles.quiet}>–</span>,
    },
    {
      key: 'contact',
      header: t('column.contact'),
      room: 'much',
      narrow: true,
      cell: user => <ContactLines user={user} />,
    },
    {
      key: 'extension',
      header: t('column.extension'),
      room: 'some',
      narrow: true,
      cell: ({ company_extension }) =>
        company_extension ? (
          <span data-tabular>
            <span className={styles.labelBelow}>{t('column.extension')} </span>
            {company_extension}
          </span>
        ) : (
          <span className={styles.dash}>–</span>
        ),
    },
  ]
  return columns
}

/** The name, which opens the account, and what the person signs in with. */
function Name({ user }: { user: User }) {
  const nameOf = usePersonName()
  return (
    <>
      <LinkText
        to="/setting/users"
        search={current => usersSearch({ ...current, user: user.user_id })}
        className={styles.name}
      >
        {nameOf(user)}
      </LinkText>
      {user.username !== null && <small className={styles.below}>{user.username}</small>}
    </>
  )
}

/** The department and the role in it; of clients the plan. */
export function Department({ user: { identity, department, plan } }: { user: User }) {
  const { t } = useTranslation('users')
  const { t: tApp } = useTranslation('app')
  const departments = useDepartments().data ?? []
  if (identity === null) return t('agency')
  const role = tApp(`identity.${identity}`)
  const above = identity === 'external_user' ? role : departments.find(({ id }) => id === department)?.name
  const below = identity === 'external_user' ? t(`plan_of.${planNames[plan ?? 0] ?? 'basic'}`) : role
  return (
    <>
      {above ?? '–'}
      <small className={styles.below}>{below}</small>
    </>
  )
}
