import {
  IconActivity,
  IconBrandGoogle,
  IconBrandGoogleAnalytics,
  IconBrandLine,
  IconBrandMeta,
  IconBrandTiktok,
  IconBrandYahoo,
  IconChartBar,
  IconKey,
  type Icon,
} from '@tabler/icons-react'
import { channelNames, type Channel } from '#shared/channels/catalogue.ts'
import { useLanguage } from '#web/i18n/use-translation.ts'
import styles from './channel-icon.module.css'
import { channelTones } from './channel-tones.ts'

const icons: Record<Channel, Icon> = {
  fb: IconBrandMeta,
  aw: IconBrandGoogle,
  aw_keyword: IconKey,
  yg: IconBrandYahoo,
  tt: IconBrandTiktok,
  ln: IconBrandLine,
  ga: IconChartBar,
  ga_event: IconActivity,
  ga4: IconBrandGoogleAnalytics,
}

/** A channel's sign, called by its name. */
export function ChannelIcon({ channel, size = 18 }: { channel: Channel; size?: number }) {
  const name = channelNames[channel][useLanguage()]
  const Glyph = icons[channel]
  return (
    <span
      className={styles.icon}
      style={{ color: `var(--chart-${channelTones[channel]})` }}
      data-channel={channel}
      title={name}
      role="img"
      aria-label={name}
    >
      <Glyph size={size} stroke={1.7} aria-hidden />
    </span>
  )
}

/** The channels of a report, each once. */
export function ChannelIcons({ channels }: { channels: readonly { channel: Channel }[] }) {
  const distinct = [...new Set(channels.map(block => block.channel))]
  return (
    <span className={styles.icons}>
      {distinct.map(channel => (
        <ChannelIcon key={channel} channel={channel} />
      ))}
    </span>
  )
}
