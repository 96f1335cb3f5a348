import { Fragment } from 'react'
import type { AudienceUpload, HashCounts } from '#shared/api/audiences.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Problem } from '#web/ui/problem.tsx'
import { TableLoading } from '#web/ui/table-loading.tsx'
import { instantText } from '#web/ui/times.ts'
import styles from './audiences.module.css'
import { useUploads } from './data.ts'

/** What was uploaded, by whom, and on which consent; the newest first. */
export function UploadsTab({ id }: { id: number }) {
  const { t } = useTranslation('audiences')
  const { data, error, refetch } = useUploads(id)
  if (error && !data) return <Problem code={error.code} onRetry={() => void refetch()} />
  if (!data) return <TableLoading rows={3} />
  if (data.length === 0) return <p className={styles.quiet}>{t('uploads.empty')}</p>
  return (
    <ol className={styles.list}>
      {data.map(upload => (
        <li key={upload.id}>
          <Upload upload={upload} />
        </li>
      ))}
    </ol>
  )
}

function Upload({ upload }: { upload: AudienceUpload }) {
  const { t, language } = useTranslation('audiences')
  const { rows, action, state, counts, basis, created_at, created_by_name } = upload
  return (
    <article className={styles.share}>
      <header className={styles.shareHead}>
        <strong>
          {t(`uploads.action.${action}`)} · {t('people', { count: rows })}
        </strong>
        <span>{t(`uploads.state.${state}`)}</span>
      </header>
      <p className={styles.hint}>
        {t('by', { at: instantText(created_at, language), name: created_by_name ?? '–' })}
      </p>
      {basis !== null && <p className={styles.hint}>{t('uploads.basis', { basis })}</p>}
      {counts && <Counts counts={counts} />}
    </article>
  )
}

const countNames = ['valid', 'duplicate', 'no_identifier', 'bad_email', 'bad_phone', 'no_consent'] as const

/** What became of the rows of a file; what there was none of is left out. */
export function Counts({ counts, rows }: { counts: HashCounts; rows?: number }) {
  const { t, language } = useTranslation('audiences')
  return (
    <dl className={styles.counts}>
      {rows !== undefined && (
        <>
          <dt>{t('counts.rows')}</dt>
          <dd data-tabular>{rows.toLocaleString(language)}</dd>
        </>
      )}
      {countNames
        .filter(name => name === 'valid' || counts[name] > 0)
        .map(name => (
          <Fragment key={name}>
            <dt>{t(`counts.${name}`)}</dt>
            <dd data-tabular>{counts[name].toLocaleString(language)}</dd>
          </Fragment>
        ))}
    </dl>
  )
}
