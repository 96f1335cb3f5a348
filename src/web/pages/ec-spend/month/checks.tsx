import { Button } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconCircleX } from '@tabler/icons-react'
import { useState } from 'react'
import type { BillingMonth, Check } from '#shared/api/ec-spend.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { TableLoading } from '#web/ui/table-loading.tsx'
import { CheckLink } from './check-link.tsx'
import { checkGroups, type CheckGroup } from './check-groups.ts'
import { CheckText, checkKey, textOf } from './check-text.tsx'
import { useChecks } from './data.ts'
import styles from './month.module.css'
import { WaiverField } from './waiver-field.tsx'
import { isWaived, withWaiver, type WaiversProps } from './waivers.ts'

/** What has to be done before the month can be locked, and what is worth a look, each with where to do it. */
export function Checks({ month, ...waiving }: { month: BillingMonth } & WaiversProps) {
  const { t } = useTranslation('closing')
  const checks = useChecks(month.month)
  if (checks.error && !checks.data)
    return <Problem code={checks.error.code} onRetry={() => void checks.refetch()} />
  if (!checks.data)
    return (
      <Card padding="flush">
        <TableLoading rows={5} />
      </Card>
    )
  const found = checkGroups(checks.data.results)
  if (found.length === 0)
    return (
      <Card padding="flush">
        <EmptyState
          icon={IconCircleCheck}
          title={t(month.state === 'locked' ? 'checks.locked' : 'checks.none')}
        />
      </Card>
    )
  return (
    <>
      {([true, false] as const).map(blocks => (
        <CheckList
          key={String(blocks)}
          title={t(blocks ? 'checks.blockers' : 'checks.warnings')}
          groups={found.filter(({ check }) => check.is_blocker === blocks)}
          {...waiving}
        />
      ))}
    </>
  )
}

function CheckList({
  title,
  groups,
  ...waiving
}: { title: string; groups: readonly CheckGroup[] } & WaiversProps) {
  if (groups.length === 0) return null
  return (
    <Card title={title} padding="flush">
      <ul className={styles.checks}>
        {groups.map(group => (
          <CheckItem key={checkKey(group.check)} group={group} {...waiving} />
        ))}
      </ul>
    </Card>
  )
}

function CheckItem({ group, waivers, onWaivers }: { group: CheckGroup } & WaiversProps) {
  const { check } = group
  const { t } = useTranslation('closing')
  const [isWaiving, setIsWaiving] = useState(false)
  const { ad_account, can_waive } = check
  const reason = ad_account === null ? undefined : waivers.get(ad_account)
  const waivable = can_waive && ad_account !== null
  return (
    <li>
      <div className={styles.check}>
        <CheckBadge check={check} hasReason={isWaived(check, waivers)} />
        <span className={styles.checkText}>
          <CheckText group={group} />
          <small className={styles.quiet}>{t(`advice.${textOf(check)}`)}</small>
        </span>
        <span className={styles.checkActions}>
          <CheckLink check={check} />
          {waivable && !isWaiving && reason === undefined && (
            <Button size="xs" variant="default" onClick={() => setIsWaiving(true)}>
              {t('waive.open')}
            </Button>
          )}
        </span>
      </div>
      {waivable && (isWaiving || reason !== undefined) && (
        <WaiverField
          group={group}
          value={reason ?? ''}
          onChange={text => {
            setIsWaiving(true)
            onWaivers(withWaiver(waivers, ad_account, text))
          }}
        />
      )}
    </li>
  )
}

function CheckBadge({ check, hasReason }: { check: Check; hasReason: boolean }) {
  const { t } = useTranslation('closing')
  if (hasReason) return <StatusBadge tone="neutral" icon={IconCircleCheck} label={t('checks.waived')} />
  return check.is_blocker ? (
    <StatusBadge tone="bad" icon={IconCircleX} label={t('checks.blocker')} />
  ) : (
    <StatusBadge tone="warn" icon={IconAlertTriangle} label={t('checks.warning')} />
  )
}
