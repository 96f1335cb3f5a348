import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleX,
  IconLoader2,
  IconPlayerPause,
  type Icon,
} from '@tabler/icons-react'
import type { AudienceShare } from '#shared/api/audiences.ts'
import type { ShareState } from '#shared/audiences.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ChannelIcon } from '#web/pages/reports/channel-icon.tsx'
import { StatusBadge, type Tone } from '#web/ui/status-badge.tsx'
import styles from './audiences.module.css'

const looks: Record<ShareState, { tone: Tone; icon: Icon }> = {
  queued: { tone: 'neutral', icon: IconLoader2 },
  creating: { tone: 'neutral', icon: IconLoader2 },
  uploading: { tone: 'neutral', icon: IconLoader2 },
  matching: { tone: 'neutral', icon: IconLoader2 },
  ready: { tone: 'good', icon: IconCircleCheck },
  too_small: { tone: 'warn', icon: IconAlertTriangle },
  failed: { tone: 'bad', icon: IconCircleX },
  stopped: { tone: 'bad', icon: IconPlayerPause },
  removing: { tone: 'neutral', icon: IconLoader2 },
  removed: { tone: 'neutral', icon: IconPlayerPause },
}

export function ShareStateBadge({ state }: { state: ShareState }) {
  const { t } = useTranslation('audiences')
  return <StatusBadge {...looks[state]} label={t(`state.${state}`)} />
}

/** Where an audience is shared, one chip for each account: how it stands there, and how large it is. */
export function ShareChips({ shares }: { shares: readonly AudienceShare[] }) {
  const { t } = useTranslation('audiences')
  const living = shares.filter(({ state }) => state !== 'removed')
  if (living.length === 0) return <span className={styles.quiet}>{t('not_shared')}</span>
  return (
    <ul className={styles.chips}>
      {living.map(share => (
        <li key={share.id}>
          <ShareChip share={share} />
        </li>
      ))}
    </ul>
  )
}

/** Before its people are matched a platform counts nobody, or whom it had before. */
export const sizeOf = ({ state, size }: AudienceShare) => (state === 'matching' ? null : size)

function ShareChip({ share }: { share: AudienceShare }) {
  const { t } = useTranslation('audiences')
  const { channel, state, ad_account_name: account } = share
  const size = sizeOf(share)
  const { tone, icon: Glyph } = looks[state]
  const words = { account, state: t(`state.${state}`), size: size ?? '' }
  return (
    <span className={styles.chip} data-tone={tone} title={t(size === null ? 'chip' : 'chip_size', words)}>
      <ChannelIcon channel={channel} size={14} />
      <Glyph size={13} stroke={1.8} aria-hidden />
      {words.state}
      {size !== null && <span data-tabular>{size}</span>}
    </span>
  )
}
