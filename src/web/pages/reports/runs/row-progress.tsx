import { clockText } from '#web/ui/times.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useRun } from './data.ts'
import { Meter } from './meter.tsx'
import styles from './row-progress.module.css'
import { shareDone } from './run-state.ts'

/** How far the run of a report is, for the row of a list. */
export function RowProgress({ report, run }: { report: number; run: string }) {
  const { t, language } = useTranslation('runs')
  const { data } = useRun(report, run)
  const status = data?.status ?? 'queued'
  const finishes_at = data?.forecast?.finishes_at
  const rows = data?.blocks.reduce((sum, block) => sum + block.rows, 0) ?? 0
  return (
    <span className={styles.progress}>
      <span className={styles.words}>
        {t(`status.${status}`)}
        {finishes_at ? (
          <small>{t('ready_about', { time: clockText(finishes_at, language) })}</small>
        ) : (
          rows > 0 && <small>{t('rows', { count: rows })}</small>
        )}
      </span>
      <Meter done={shareDone({ status, blocks: data?.blocks ?? [] })} label={t(`status.${status}`)} />
    </span>
  )
}
