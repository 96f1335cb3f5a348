import { isErrorCode } from '#shared/errors.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Problem } from '#web/ui/problem.tsx'
import { TableLoading } from '#web/ui/table-loading.tsx'
import styles from './businesses.module.css'
import { useAccountUsers } from './data.ts'

/** Who of the business works with the account, as Meta has it now. */
export function AccountUsers({ id }: { id: number }) {
  const { t } = useTranslation('businesses')
  const { data, error, refetch } = useAccountUsers(id)
  const retry = { audience: 'internal' as const, onRetry: () => void refetch() }
  if (error) return <Problem {...error} {...retry} />
  if (!data) return <TableLoading rows={3} />
  if (data.problem !== null)
    return <Problem code={isErrorCode(data.problem) ? data.problem : 'internal_error'} {...retry} />
  if (data.users.length === 0) return <p className={styles.quiet}>{t('users.none')}</p>
  return (
    <ul className={styles.list}>
      {data.users.map(user => (
        <li key={user.id}>
          {user.name}
          <small className={styles.below}>{user.tasks.join(', ')}</small>
        </li>
      ))}
    </ul>
  )
}
