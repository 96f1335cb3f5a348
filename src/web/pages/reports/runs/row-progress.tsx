import { useTranslation } from '#web/i18n/use-translation.ts'
import { useRun } from './data.ts'
import { Meter } from './meter.tsx'
import styles from './row-progress.module.css'
import { shareDone } from './run-state.ts'

/** How far the run of a report is, for the row of a list. */
export function RowProgress({ report, run }: { report: number; run: string }) {
  const { t } = useTranslation('runs')
  const { data } = useRun(report, run)
  const status = data?.status ?? 'queued'
  const rows = data?.blocks.reduce((sum, block) => sum + block.rows, 0) ?? 0
  return (
    <span className={styles.progress}>
      <span className={styles.words}>
        {t(`status.${status}`)}
        {rows > 0 && <small>{t('rows', { count: rows })}</small>}
      </span>
      <Meter done={shareDone({ status, blocks: data?.blocks ?? [] })} label={t(`status.${status}`)} />
    </span>
  )
}
