import type { Icon } from '@tabler/icons-react'
import styles from './status-badge.module.css'

export type Tone = 'neutral' | 'accent' | 'good' | 'warn' | 'bad'

/** A state in a word and an icon; the colour only repeats them. */
export function StatusBadge({ tone, icon: Glyph, label }: { tone: Tone; icon?: Icon; label: string }) {
  return (
    <span className={styles.badge} data-tone={tone}>
      {Glyph && <Glyph size={14} stroke={1.8} aria-hidden />}
      {label}
    </span>
  )
}
