import { Skeleton } from '@mantine/core'
import type { Compared } from '#shared/api/run-changes.ts'
import { listText } from '#shared/language.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Card } from '#web/ui/card.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { instantText } from '#web/ui/times.ts'
import { useRunChanges } from '#web/pages/reports/runs/data.ts'
import styles from './run-changes.module.css'
import { ChangesTable } from './changes-table.tsx'

/** Which days or rows of the table changed since the run before, and by how much. */
export function RunChanges({ report, run }: { report: number; run: string }) {
  const { t } = useTranslation('history')
  const changes = useRunChanges(report, run)
  return (
    <Card title={t('changes.title')}>
      {changes.error && <Problem code={changes.error.code} onRetry={() => void changes.refetch()} />}
      {changes.isPending && (
        <output aria-label={t('changes.loading')}>
          <Skeleton height={90} />
        </output>
      )}
      {changes.data &&
        (changes.data.status === 'compared' ? (
          <ChangeSummary changes={changes.data} />
        ) : (
          <p className={styles.gist}>{t(`changes.${changes.data.status}`)}</p>
        ))}
    </Card>
  )
}

function ChangeSummary({ changes }: { changes: Compared }) {
  const { t, language } = useTranslation('history')
  const { before, count, moved, columns_added, columns_removed } = changes
  const when = instantText(before.at, language)
  const names = (columns: string[]) => listText(columns, language)
  return (
    <>
      <p className={styles.gist}>
        {count === 0 ? t('changes.none', { when }) : `${t('changes.since', { when })} `}
        {count > 0 && <Gist changes={changes} />}
      </p>
      {columns_added.length > 0 && (
        <p className={styles.gist}>{t('changes.columns_added', { names: names(columns_added) })}</p>
      )}
      {columns_removed.length > 0 && (
        <p className={styles.gist}>{t('changes.columns_removed', { names: names(columns_removed) })}</p>
      )}
      {count > 0 && <ChangesTable changes={changes} />}
      {count > moved.length && (
        <p className={styles.gist}>{t('changes.only_first', { first: moved.length, count })}</p>
      )}
    </>
  )
}

/** In one sentence: days where there are any, and the rows behind them. */
function Gist({ changes: { by, rows, moved } }: { changes: Compared }) {
  const { t, language } = useTranslation('history')
  const days = (kind: 'changed' | 'added' | 'removed') => moved.filter(row => row.kind === kind).length
  const parts = [
    ...(by === 'row'
      ? []
      : [
          { key: 'days_moved' as const, count: days('changed') },
          { key: 'days_added' as const, count: days('added') },
          { key: 'days_removed' as const, count: days('removed') },
        ]),
    { key: 'rows_changed' as const, count: rows.changed },
    { key: 'rows_added' as const, count: rows.added },
    { key: 'rows_removed' as const, count: rows.removed },
  ]
  const texts = parts.filter(({ count }) => count > 0).map(({ key, count }) => t(`changes.${key}`, { count }))
  return <strong>{`${listText(texts, language)}${language === 'en' ? '.' : '。'}`}</strong>
}
