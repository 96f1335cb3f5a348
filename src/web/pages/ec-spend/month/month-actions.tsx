import { Button } from '@mantine/core'
import { IconFileInvoice, IconLock, IconLockOpen } from '@tabler/icons-react'
import { useState } from 'react'
import { isAtLeast, mayReach } from '#shared/access.ts'
import type { BillingMonth, Statement } from '#shared/api/ec-spend.ts'
import { useMe } from '#web/client/me.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { BillDialog } from './bill-dialog.tsx'
import { LockDialog } from './lock-dialog.tsx'
import styles from './month.module.css'
import { UnlockDialog } from './unlock-dialog.tsx'
import type { WaiversProps } from './waivers.ts'

interface MonthActionsProps extends WaiversProps {
  month: BillingMonth
  statements: readonly Statement[]
}

/** What can be done with the month; who may not, reads who may. */
export function MonthActions({ month, statements, ...waiving }: MonthActionsProps) {
  const { t } = useTranslation('closing')
  const me = useMe()
  const [dialog, setDialog] = useState<'lock' | 'unlock' | 'bill' | null>(null)
  const close = () => setDialog(null)
  const mayLock = mayReach(me, 'superuser_or_finance')
  const mayUnlock = isAtLeast(me.identity, 'director')
  return (
    <>
      {month.state === 'open' ? (
        mayLock ? (
          <Button leftSection={<IconLock size={16} stroke={1.7} />} onClick={() => setDialog('lock')}>
            {t('lock.open')}
          </Button>
        ) : (
          <span className={styles.quiet}>{t('lock.who')}</span>
        )
      ) : (
        <>
          {mayUnlock ? (
            <Button
              variant="default"
              leftSection={<IconLockOpen size={16} stroke={1.7} />}
              onClick={() => setDialog('unlock')}
            >
              {t('unlock.open')}
            </Button>
          ) : (
            <span className={styles.quiet}>{t('unlock.who')}</span>
          )}
          <Button leftSection={<IconFileInvoice size={16} stroke={1.7} />} onClick={() => setDialog('bill')}>
            {t('bill.open')}
          </Button>
        </>
      )}
      {dialog === 'lock' && (
        <LockDialog month={month.month} statements={statements} onClose={close} {...waiving} />
      )}
      {dialog === 'unlock' && <UnlockDialog month={month.month} onClose={close} />}
      {dialog === 'bill' && <BillDialog month={month.month} statements={statements} onClose={close} />}
    </>
  )
}
