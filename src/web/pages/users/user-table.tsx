import { VisuallyHidden } from '@mantine/core'
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react'
import type { User } from '#shared/api/people.ts'
import { employmentStatuses } from '#shared/employment.ts'
import { nameOf } from '#shared/person-name.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useDepartments } from '#web/pages/use-departments.ts'
import { DataTable, type Column } from '#web/ui/data-table.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { contactTypes } from './contacts-field.tsx'
import { DEFAULT_ORDERING } from './data.ts'
import type { UserAction } from './user-action.tsx'
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
  const columns = useColumns()
  const menu: Column<User> = {
    key: 'menu',
    header: <VisuallyHidden>{t('column.menu')}</VisuallyHidden>,
    width: '48px',
    align: 'end',
    cell: user => <UserMenu user={user} onAction={onAction} />,
  }
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
  const { t: tApp } = useTranslation('app')
  const departments = useDepartments().data ?? []
  return [
    {
      key: 'name',
      header: t('column.name'),
      sort: 'full_name',
      cell: user => (
        <>
          <div className={styles.name}>{nameOf(user)}</div>
          {user.username !== null && <small className={styles.quiet}>{user.username}</small>}
        </>
      ),
    },
    {
      key: 'role',
      header: t('column.role'),
      cell: ({ identity, position }) => (
        <>
          {identity === null ? t('agency') : tApp(`identity.${identity}`)}
          {position && <small className={styles.below}>{position}</small>}
        </>
      ),
    },
    {
      key: 'department',
      header: t('column.department'),
      room: 'some',
      cell: ({ department }) => departments.find(({ id }) => id === department)?.name ?? '–',
    },
    {
      key: 'contact',
      header: t('column.contact'),
      room: 'much',
      narrow: true,
      cell: user => <Contact user={user} />,
    },
    {
      key: 'state',
      header: t('column.state'),
      room: 'some',
      narrow: true,
      cell: user => <State user={user} />,
    },
  ]
}

function Contact({ user: { email, contacts, company_extension } }: { user: User }) {
  const { t } = useTranslation('users')
  const lines = [
    email,
    company_extension && t('extension_line', { number: company_extension }),
    ...(contacts ?? [])
      .filter(({ value }) => value !== email)
      .map(({ type, value }) => `${t(`contact.${contactTypes[type] ?? 'other'}`)} ${value}`),
  ].filter(line => line)
  if (lines.length === 0) return <span className={styles.quiet}>–</span>
  return lines.map(line => (
    <div key={line} className={styles.contact}>
      {line}
    </div>
  ))
}

function State({ user: { is_active, employment_status, has_second_factor } }: { user: User }) {
  const { t } = useTranslation('users')
  const word = employmentStatuses[employment_status] ?? 'employed'
  return (
    <>
      {is_active === 1 ? (
        <StatusBadge tone="good" icon={IconCircleCheck} label={t('state.open')} />
      ) : (
        <StatusBadge tone="bad" icon={IconCircleX} label={t('state.closed')} />
      )}
      {has_second_factor === true && <small className={styles.below}>{t('second_factor')}</small>}
      {word !== 'employed' && <small className={styles.below}>{t(`employment.${word}`)}</small>}
    </>
  )
}
