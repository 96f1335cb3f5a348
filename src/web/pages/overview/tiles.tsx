import {
  IconAlertTriangle,
  IconCalendarTime,
  IconCircleCheck,
  IconLoader2,
  type Icon,
} from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { Outlook } from './data.ts'
import styles from './overview.module.css'

/** The four counts. */
export function Tiles({ outlook }: { outlook: Outlook }) {
  const { t } = useTranslation('overview')
  return (
    <dl className={styles.tiles}>
      <Tile icon={IconCircleCheck} tone="good" label={t('ran')} count={outlook.fine.length} />
      <Tile icon={IconAlertTriangle} tone="bad" label={t('failed')} count={outlook.failed.length} />
      <Tile icon={IconLoader2} tone="accent" label={t('running')} count={outlook.running.length} />
      <Tile icon={IconCalendarTime} tone="neutral" label={t('due')} count={outlook.due.length} />
    </dl>
  )
}

interface TileProps {
  icon: Icon
  tone: 'good' | 'bad' | 'accent' | 'neutral'
  label: string
  count: number
}

function Tile({ icon: Glyph, tone, label, count }: TileProps) {
  return (
    <div className={styles.tile} data-tone={count > 0 ? tone : 'neutral'}>
      <dt>
        <Glyph size={16} stroke={1.7} aria-hidden />
        {label}
      </dt>
      <dd>{count}</dd>
    </div>
  )
}
