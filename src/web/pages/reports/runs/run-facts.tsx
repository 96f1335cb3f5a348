import type { ReactNode } from 'react'
import type { Run } from '#shared/api/executions.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { instantText } from '#web/ui/times.ts'
import { durationText } from './duration.ts'
import styles from './run-details.module.css'

/** When each phase began, how long it took, and which requests it sent. */
export function RunFacts({ run }: { run: Run }) {
  const { t, language } = useTranslation('runs')
  const at = (instant: string | null) => instant && instantText(instant, language)
  const { started_at, queued_at, finished_at } = run
  return (
    <section>
      <h3>{t('details.phases')}</h3>
      <dl className={styles.facts}>
        <Fact name={t('history.trigger')}>{t(`trigger.${run.trigger}`)}</Fact>
        <Fact name={t('details.due')}>{at(run.due_at)}</Fact>
        <Fact name={t('details.queued')}>{at(queued_at)}</Fact>
        <Fact name={t('details.started')}>
          {started_at && (
            <>
              {at(started_at)}
              <small>{t('details.waited', { duration: durationText(t, queued_at, started_at) })}</small>
            </>
          )}
        </Fact>
        <Fact name={t('details.resumes')}>{run.resumes_at && <RelativeTime at={run.resumes_at} />}</Fact>
        <Fact name={t('details.finished')}>
          {finished_at && (
            <>
              {at(finished_at)}
              {started_at && (
                <small>{t('details.took', { duration: durationText(t, started_at, finished_at) })}</small>
              )}
            </>
          )}
        </Fact>
        <Fact name={t('details.range')}>{run.range && `${run.range.start} – ${run.range.end}`}</Fact>
        <Fact name={t('details.attempt')}>{run.attempt}</Fact>
      </dl>
    </section>
  )
}

/** Nothing where there is nothing to say. */
function Fact({ name, children }: { name: string; children: ReactNode }) {
  if (children === null || children === undefined || children === '') return null
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
