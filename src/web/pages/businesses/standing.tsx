import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconGhost } from '@tabler/icons-react'
import { hasStopped, reasonText, statusText } from '#shared/account-standing.ts'
import type { BusinessAccount } from '#shared/api/businesses.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import styles from './businesses.module.css'

/** The state of an account at Meta, and why. */
export function Standing({ account }: { account: BusinessAccount }) {
  const { t, language } = useTranslation('businesses')
  const { status, disable_reason, gone_at } = account
  if (gone_at !== null) return <StatusBadge tone="neutral" icon={IconGhost} label={t('gone')} />
  const reason = reasonText(disable_reason)?.[language]
  const label = statusText(status)[language]
  return (
    <>
      {hasStopped(status) ? (
        <StatusBadge tone="bad" icon={IconCircleX} label={label} />
      ) : status === ACTIVE ? (
        <StatusBadge tone="good" icon={IconCircleCheck} label={label} />
      ) : (
        <StatusBadge tone="warn" icon={IconAlertTriangle} label={label} />
      )}
      {reason !== undefined && <small className={styles.below}>{reason}</small>}
    </>
  )
}

const ACTIVE = 1
