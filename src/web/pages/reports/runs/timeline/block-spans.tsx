import type { BlockOutcome } from '#shared/api/executions.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { spanText } from '#web/pages/reports/runs/duration.ts'
import styles from './run-timeline.module.css'

/** When each channel was queried and how long it took, drawn to scale. */
export function BlockSpans({ blocks }: { blocks: readonly BlockOutcome[] }) {
  const { t } = useTranslation('runs')
  const spans = blocks.flatMap(({ label, after_ms, took_ms }) =>
    after_ms === null || took_ms === null ? [] : [{ label, after_ms, took_ms }],
  )
  if (spans.length === 0) return null
  const whole = Math.max(1, ...spans.map(({ after_ms, took_ms }) => after_ms + took_ms))
  const percent = (ms: number) => `${(ms / whole) * 100}%`
  return (
    <ul className={styles.spans}>
      {/* Blocks never move within a run, and two may be called alike. */}
      {spans.map(({ label, after_ms, took_ms }, index) => (
        <li key={String(index)}>
          <span>{label}</span>
          <span className={styles.span} aria-hidden>
            <span style={{ marginInlineStart: percent(after_ms), width: percent(took_ms) }} />
          </span>
          <span data-tabular>{spanText(t, took_ms)}</span>
        </li>
      ))}
    </ul>
  )
}
