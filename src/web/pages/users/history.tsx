import { useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import type { AuditList } from '#shared/api/audit.ts'
import { isAuditAction } from '#shared/audit.ts'
import { client } from '#web/client/client.ts'
import { LinkText } from '#web/client/links.tsx'
import type { Problem as Refused } from '#web/client/problem.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Changes } from '#web/pages/audit/changes.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { TableLoading } from '#web/ui/table-loading.tsx'
import { instantText } from '#web/ui/times.ts'
import styles from './users.module.css'

/** So many of the latest changes; the audit trail has the others. */
const LATEST = 5

/** What was changed about an account, when and by whom. */
export function History({ id }: { id: number }) {
  const { t, language } = useTranslation('users')
  const { t: tAudit } = useTranslation('audit')
  const about = { object: 'user', object_id: String(id) }
  const { data, error } = useQuery<z.infer<typeof AuditList>, Refused>({
    // Below the key of the account, whose changes are to be seen here at once.
    queryKey: ['users', 'one', id, 'history'],
    queryFn: ({ signal }) =>
      client.get('/api/audit/', { query: { ...about, ordering: '-id', limit: LATEST }, signal }),
    staleTime: 0,
  })
  return (
    <section>
      <h3 className={styles.heading}>{t('history.title')}</h3>
      {error ? (
        <Problem code={error.code} />
      ) : !data ? (
        <TableLoading rows={2} />
      ) : data.results.length === 0 ? (
        <p className={styles.hint}>{t('history.none')}</p>
      ) : (
        <ol className={styles.history}>
          {data.results.map(line => (
            <li key={line.id}>
              <div>
                {isAuditAction(line.action) ? tAudit(`action.${line.action}`) : line.action}{' '}
                <small className={styles.quiet}>
                  {line.actor_name ?? tAudit('nobody')} · {instantText(line.at, language)}
                </small>
              </div>
              {line.detail?.['changes'] !== undefined && <Changes line={line} />}
            </li>
          ))}
        </ol>
      )}
      {data && data.count > LATEST && (
        <LinkText to="/setting/audit" search={{ search: '', page: 1, ...about }}>
          {t('history.all', { count: data.count })}
        </LinkText>
      )}
    </section>
  )
}
