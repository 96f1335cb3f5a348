import {
  IconAlertTriangle,
  IconCalendarTime,
  IconCircleCheck,
  IconLoader2,
  type Icon,
} from '@tabler/icons-react'
import type { Overview } from '#shared/api/overview.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { clockText } from '#web/ui/times.ts'
import styles from './overview.module.css'

/** The four counts of today. */
export function Tiles({ overview }: { overview: Overview }) {
  const { t, language } = useTranslation('overview')
  const { completed, failed, running, running_until, to_come, attention } = overview
  const next = to_come.next_at && t('next_at', { time: clockText(to_come.next_at, language) })
  return (
    <dl className={styles.tiles}>
      <Tile
        icon={IconCircleCheck}
        tone="good"
        label={t('completed')}
        count={completed}
        note={t('since_midnight')}
      />
      <Tile
        icon={IconAlertTriangle}
        tone="bad"
        label={t('failed')}
        count={failed}
        note={failed > 0 && attention.failed === 0 ? t('all_mended') : t('since_midnight')}
      />
      <Tile
        icon={IconLoader2}
        tone="accent"
        label={t('running')}
        count={running}
        note={
          running_until === null
            ? t('right_now')
            : t('until_about', { time: clockText(running_until, language) })
        }
      />
      <Tile
        icon={IconCalendarTime}
        tone="neutral"
        label={t('to_come')}
        count={to_come.count}
        note={next ?? t('none_to_come')}
      />
    </dl>
  )
}

interface TileProps {
  icon: Icon
  tone: 'good' | 'bad' | 'accent' | 'neutral'
  label: string
  count: number
  note: string
}

function Tile({ icon: Glyph, tone, label, count, note }: TileProps) {
  const { language } = useTranslation('overview')
  return (
    <div className={styles.tile} data-tone={count > 0 ? tone : 'neutral'}>
      <dt>
        <Glyph size={16} stroke={1.7} aria-hidden />
        {label}
      </dt>
      <dd>{count.toLocaleString(language)}</dd>
      <dd className={styles.note}>{note}</dd>
    </div>
  )
}
