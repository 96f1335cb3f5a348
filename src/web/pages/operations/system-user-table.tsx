import type { Operations } from '#shared/api/operations.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Count } from '#web/ui/count.tsx'
import { DataTable, type Column } from '#web/ui/data-table.tsx'
import styles from './operations.module.css'

type SystemUser = Operations['system_users'][number]

/** The system users that write spreadsheets, and the load of each. */
export function SystemUserTable({ system_users }: { system_users: readonly SystemUser[] }) {
  const { t } = useTranslation('operations')
  const columns: Column<SystemUser>[] = [
    {
      key: 'system_user',
      header: t('system_users.system_user'),
      cell: ({ system_user, project, ...load }) => (
        <>
          <code>{system_user}</code>
          <p className={styles.reason}>
            {project === null
              ? t('system_users.gone')
              : t('system_users.load', {
                  project,
                  writes: load.writes,
                  project_writes: load.project_writes,
                  waiting: load.waiting,
                })}
          </p>
        </>
      ),
    },
    {
      key: 'spreadsheets',
      header: t('system_users.spreadsheets'),
      width: '116px',
      align: 'end',
      cell: ({ spreadsheets }) => <Count value={spreadsheets} />,
    },
  ]
  return (
    <DataTable
      label={t('system_users.title')}
      columns={columns}
      rows={system_users}
      rowKey={({ system_user }) => system_user}
      rowName={({ system_user }) => system_user}
    />
  )
}
