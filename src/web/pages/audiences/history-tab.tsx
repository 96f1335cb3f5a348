import { useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import type { AuditList } from '#shared/api/audit.ts'
import { isAuditAction } from '#shared/audit.ts'
import { client } from '#web/client/client.ts'
import { useMe } from '#web/client/me.ts'
import type { Problem as Refused } from '#web/client/problem.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Changes } from '#web/pages/audit/changes.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { TableLoading } from '#web/ui/table-loading.tsx'
import { instantText } from '#web/ui/times.ts'
import styles from './audiences.module.css'

const LATEST = 20

/** What the audit trail has of an audience, for those who may read the trail. */
export function HistoryTab({ id }: { id: number }) {
  const { t } = useTranslation('audiences')
  const { identity } = useMe()
  if (identity !== 'superuser') return <p className={styles.quiet}>{t('history.only_superusers')}</p>
  return <History id={id} />
}

function History({ id }: { id: number }) {
  const { t, language } = useTranslation('audiences')
  const { t: tAudit } = useTranslation('audit')
  const { data, error } = useQuery<z.infer<typeof AuditList>, Refused>({
    queryKey: ['audiences', 'history', id],
    queryFn: ({ signal }) =>
      client.get('/api/audit/', {
        query: { object: 'audience', object_id: String(id), ordering: '-id', limit: LATEST },
        signal,
      }),
    staleTime: 0,
  })
  if (error && !data) return <Problem code={error.code} />
  if (!data) return <TableLoading rows={3} />
  if (data.results.length === 0) return <p className={styles.quiet}>{t('history.none')}</p>
  return (
    <ol className={styles.list}>
      {data.results.map(line => (
        <li key={line.id} className={styles.share}>
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
  )
}
