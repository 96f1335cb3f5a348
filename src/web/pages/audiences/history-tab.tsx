import type { AudienceEvent } from '#shared/api/audiences.ts'
import { isAuditAction } from '#shared/audit.ts'
import { listText } from '#shared/language.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Changes } from '#web/pages/audit/changes.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { TableLoading } from '#web/ui/table-loading.tsx'
import { instantText } from '#web/ui/times.ts'
import styles from './audiences.module.css'
import { useHistory } from './data.ts'

/** What was done with an audience, and by whom; the newest first. */
export function HistoryTab({ id }: { id: number }) {
  const { t } = useTranslation('audiences')
  const { data, error, refetch } = useHistory(id)
  if (error && !data) return <Problem code={error.code} onRetry={() => void refetch()} />
  if (!data) return <TableLoading rows={3} />
  if (data.length === 0) return <p className={styles.quiet}>{t('history.none')}</p>
  return (
    <ol className={styles.list}>
      {data.map(event => (
        <li key={event.id} className={styles.share}>
          <Event event={event} />
        </li>
      ))}
    </ol>
  )
}

function Event({ event }: { event: AudienceEvent }) {
  const { t, language } = useTranslation('audiences')
  const { t: tAudit } = useTranslation('audit')
  const { action, upload_action, rows, ad_accounts, changes, actor_name, at } = event
  return (
    <>
      <strong>{isAuditAction(action) ? tAudit(`action.${action}`) : action}</strong>
      {upload_action !== null && (
        <p className={styles.hint}>
          {t(`uploads.action.${upload_action}`)} · {t('people', { count: rows ?? 0 })}
        </p>
      )}
      {ad_accounts.length > 0 && <p className={styles.hint}>{listText(ad_accounts, language)}</p>}
      {changes !== null && <Changes line={{ detail: { changes } }} />}
      <small className={styles.quiet}>
        {t('by', { at: instantText(at, language), name: actor_name ?? '–' })}
      </small>
    </>
  )
}
