import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import { mayDo } from '#shared/access.ts'
import type { Report } from '#shared/api/reports.ts'
import { useIsInternal, useMe } from '#web/client/me.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import styles from './editor.module.css'

/** What the agency's own people do next with a report, beyond what clients see. */
export const InternalLinks = memo(function InternalLinks({ report }: { report: Report }) {
  const { t } = useTranslation('editor')
  const internal = useIsInternal()
  const { identity } = useMe()
  if (!internal) return null
  const { id } = report
  const mayChange = mayDo(report.access, 'change')
  return (
    <nav className={styles.internal} aria-label={t('internal.label')}>
      <Link to="/gs-template/setting" search={{ id }}>
        {t('internal.permissions')}
      </Link>
      {mayChange && (
        <>
          <Link to="/gs-template/care" search={{ do: 'replace', reports: [id] }}>
            {t('internal.replace')}
          </Link>
          <Link to="/gs-template/care" search={{ do: 'clone', reports: [id] }}>
            {t('internal.clone')}
          </Link>
        </>
      )}
      <Link to="/support" search={{ search: '', page: 1, report: id }}>
        {t('internal.issue')}
      </Link>
      {identity === 'superuser' && (
        <>
          <Link to="/setting/audit" search={{ search: '', page: 1, object: 'report', object_id: String(id) }}>
            {t('internal.audit')}
          </Link>
          <Link to="/setting/public-account" search={{ search: '', page: 1 }}>
            {t('internal.logins')}
          </Link>
        </>
      )}
    </nav>
  )
})
