import { IconChartBar } from '@tabler/icons-react'
import type { Ga4Channel } from '#shared/links/channels.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import styles from './links.module.css'

/** Where Google Analytics will count the visits, and what it means by that. */
export function ChannelBadge({ channel }: { channel: Ga4Channel }) {
  const { t } = useTranslation('links')
  return (
    <p className={styles.channel}>
      <StatusBadge
        tone={channel === 'Unassigned' ? 'warn' : 'accent'}
        icon={IconChartBar}
        label={t('ga4.counts', { channel })}
      />
      <span>{t(`ga4.meaning.${channel}`)}</span>
    </p>
  )
}
