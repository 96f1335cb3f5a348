import {
  IconBan,
  IconCircleCheck,
  IconCircleX,
  IconClock,
  IconClockPause,
  IconCloudDownload,
  IconDatabase,
  IconPencil,
  IconShieldCheck,
  type Icon,
} from '@tabler/icons-react'
import type { RunDetail } from '#shared/api/executions.ts'
import { isErrorCode } from '#shared/errors.ts'
import { useIsInternal } from '#web/client/me.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { spanText } from '#web/pages/reports/runs/duration.ts'
import { Card } from '#web/ui/card.tsx'
import { problemText } from '#web/ui/problem-text.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { secondText } from '#web/ui/times.ts'
import { BlockSpans } from './block-spans.tsx'
import styles from './run-timeline.module.css'
import { stagesOf, type Stage, type StageName } from './stages.ts'

/** The phases of the run, with the waits between. */
export function RunTimeline({ run }: { run: RunDetail }) {
  const { t } = useTranslation('history')
  const stages = stagesOf(run)
  const lastFetch = stages.findLastIndex(({ name }) => name === 'fetching')
  return (
    <Card title={t('timeline.title')}>
      <ol className={styles.stages} aria-label={t('timeline.title')}>
        {stages.map((stage, index) => (
          // Stages are only added, at the end.
          <StageLine key={String(index)} stage={stage} run={run} is_last={index === stages.length - 1}>
            {index === lastFetch && <BlockSpans blocks={run.blocks} />}
          </StageLine>
        ))}
      </ol>
    </Card>
  )
}

interface StageLineProps {
  stage: Stage
  run: RunDetail
  is_last: boolean
  children: React.ReactNode
}

function StageLine({ stage: { name, at, took_ms, stretch }, run, is_last, children }: StageLineProps) {
  const { t, language } = useTranslation('history')
  const { t: tRuns } = useTranslation('runs')
  const internal = useIsInternal()
  const { glyph: Glyph, tone } = stageIcons[name]
  const code = stretch?.code
  return (
    <li data-tone={tone}>
      <span className={styles.mark}>
        <Glyph size={15} stroke={1.8} aria-hidden />
      </span>
      <div className={styles.words}>
        <strong>
          {t(`timeline.${name}`)}
          {stretch?.why && ` ${t(`timeline.why.${stretch.why}`)}`}
        </strong>
        <small>
          <time dateTime={at}>{secondText(at, language)}</time>
          {took_ms !== null && ` · ${spanText(tRuns, took_ms)}`}
          {stretch && stretch.attempt > 1 && ` · ${t('timeline.attempt', { attempt: stretch.attempt })}`}
          {stretch && stretch.times > 1 && ` · ${t('timeline.times', { times: stretch.times })}`}
        </small>
        {code && isErrorCode(code) && (
          <p>{problemText(code, internal ? 'internal' : 'external', language)}</p>
        )}
        {stretch?.taken_over && <p>{t('timeline.taken_over')}</p>}
        {is_last && name === 'waiting' && run.resumes_at !== null && (
          <p>
            {tRuns('details.resumes')} <RelativeTime at={run.resumes_at} />
          </p>
        )}
        {children}
      </div>
    </li>
  )
}

const stageIcons: Record<StageName, { glyph: Icon; tone?: 'good' | 'bad' | 'wait' }> = {
  queued: { glyph: IconClock },
  fetching: { glyph: IconCloudDownload },
  storing: { glyph: IconDatabase },
  writing: { glyph: IconPencil },
  verifying: { glyph: IconShieldCheck },
  waiting: { glyph: IconClockPause, tone: 'wait' },
  completed: { glyph: IconCircleCheck, tone: 'good' },
  error: { glyph: IconCircleX, tone: 'bad' },
  cancelled: { glyph: IconBan },
}
