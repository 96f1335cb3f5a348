import { UnstyledButton } from '@mantine/core'
import { IconCircleCheck, IconCircleX, IconDoorExit, IconPlayerPause, IconTrash } from '@tabler/icons-react'
import type { User } from '#shared/api/people.ts'
import { employmentOf, hasLeft } from '#shared/employment.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import styles from './users.module.css'

const looks = {
  employed: { tone: 'good', icon: IconCircleCheck },
  on_leave: { tone: 'warn', icon: IconPlayerPause },
  resigned: { tone: 'neutral', icon: IconDoorExit },
  deleted: { tone: 'neutral', icon: IconTrash },
} as const

interface StateProps {
  user: User
  /** Opens the transfer of what somebody who cannot sign in still owns. */
  onTransfer?: () => void
}

/** Whether the person works here, and whether the account is open where that does not follow. */
export function State({ user, onTransfer }: StateProps) {
  const { t } = useTranslation('users')
  const { user_type, is_active, employment_status, has_second_factor, reports = 0 } = user
  const employment = employmentOf(employment_status)
  const isClosed = is_active === 0
  const isClient = user_type === 2
  return (
    <>
      {!(isClosed && isClient && employment === 'employed') && (
        <StatusBadge
          {...looks[employment]}
          label={isClient && employment === 'employed' ? t('state.open') : t(`employment.${employment}`)}
        />
      )}
      {isClosed && !hasLeft(employment_status) && (
        <div>
          <StatusBadge tone="bad" icon={IconCircleX} label={t('state.closed')} />
        </div>
      )}
      {has_second_factor === true && <small className={styles.below}>{t('second_factor')}</small>}
      {isClosed && reports > 0 && (
        <UnstyledButton className={styles.left} disabled={!onTransfer} onClick={onTransfer}>
          {t('reports_left', { count: reports })}
        </UnstyledButton>
      )}
    </>
  )
}
