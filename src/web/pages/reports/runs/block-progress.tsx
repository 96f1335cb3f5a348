import type { BlockOutcome, RunDetail } from '#shared/api/executions.ts'
import { channelNames } from '#shared/channels/catalogue.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { clockText } from '#web/ui/times.ts'
import styles from './block-line.module.css'
import { spanText } from './duration.ts'
import { Meter } from './meter.tsx'

/** What the run waits for; known on its own page. */
export type RunWait = Pick<RunDetail, 'report_wait' | 'resumes_at'>

interface BlockProgressProps {
  block: Pick<BlockOutcome, 'channel' | 'label' | 'status' | 'progress'>
  wait?: RunWait | undefined
}

/** How far a channel is: the days that it has, or what it waits for. */
export function BlockProgress({ block, wait }: BlockProgressProps) {
  const { t } = useTranslation('runs')
  const waitText = useWaitText()
  const { status, progress } = block
  if (progress === null || (status !== 'pending' && status !== 'fetching')) return null
  const { days, waits } = progress
  return (
    <div className={styles.progress}>
      {days !== null && (
        <Meter done={days.fetched / days.requested} label={t('progress.of', { label: block.label })} />
      )}
      <small data-tabular>
        {[
          days && t('progress.days', { fetched: days.fetched, count: days.requested }),
          waits && waitText(block, wait),
        ]
          .filter(Boolean)
          .join(' · ')}
      </small>
    </div>
  )
}

function useWaitText() {
  const { t, language } = useTranslation('runs')
  return ({ channel, progress }: BlockProgressProps['block'], wait: RunWait | undefined): string => {
    const platform = channelNames[channel][language]
    if (progress?.waits === 'quota')
      return wait?.resumes_at
        ? t('progress.quota_until', { platform, time: clockText(wait.resumes_at, language) })
        : t('progress.quota', { platform })
    const { since, usual_ms = null } = wait?.report_wait ?? {}
    if (usual_ms === null || since === undefined) return t('progress.report', { platform })
    const isLonger = Date.now() - Date.parse(since) > usual_ms
    return isLonger
      ? t('progress.report_longer', { platform, duration: spanText(t, usual_ms) })
      : t('progress.report_usual', { platform, duration: spanText(t, usual_ms) })
  }
}
