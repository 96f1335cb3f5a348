import styles from './meter.module.css'

interface MeterProps {
  /** 0 to 1 */
  done: number
  label: string
  tone?: 'accent' | 'good' | 'bad'
}

/** A thin bar that fills. */
export function Meter({ done, label, tone = 'accent' }: MeterProps) {
  const percent = Math.round(Math.min(1, Math.max(0, done)) * 100)
  return (
    <div
      className={styles.meter}
      data-tone={tone}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
    >
      <span style={{ width: `${percent}%` }} />
    </div>
  )
}
