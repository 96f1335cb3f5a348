import { Button, Group, Stack } from '@mantine/core'
import { useState } from 'react'
import type { Check, Statement } from '#shared/api/ec-spend.ts'
import type { Problem as Refused } from '#web/client/problem.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { CheckboxField } from '#web/ui/checkbox-field.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { InlineAlert } from '#web/ui/inline-alert.tsx'
import { monthText } from '#web/ui/month.ts'
import { Problem } from '#web/ui/problem.tsx'
import { TableLoading } from '#web/ui/table-loading.tsx'
import { checkGroups, type CheckGroup } from './check-groups.ts'
import { CheckText, checkKey } from './check-text.tsx'
import { useChecks, useLock } from './data.ts'
import styles from './month.module.css'
import { SumsList } from './sums-list.tsx'
import { WaiverField } from './waiver-field.tsx'
import { isWaived, withWaiver, type WaiversProps } from './waivers.ts'

interface LockDialogProps extends WaiversProps {
  month: string
  statements: readonly Statement[]
  onClose: () => void
}

/** What still blocks the lock, what is waived and why, and what will be frozen. */
export function LockDialog({ month, statements, waivers, onWaivers, onClose }: LockDialogProps) {
  const { t, language } = useTranslation('closing')
  const { t: tUi } = useTranslation('ui')
  const checks = useChecks(month)
  const lock = useLock()
  const [isFirst, setIsFirst] = useState(false)
  const blockers = (checks.data?.results ?? []).filter(check => check.is_blocker)
  const begins = blockers.find(check => check.code === 'earlier_month_open' && check.can_waive)
  const isSettled = (check: Check) =>
    isWaived(check, waivers) || (isFirst && check.code === 'earlier_month_open')
  const isReady = checks.data !== undefined && blockers.every(isSettled)
  const title = t('lock.title', { month: monthText(month, language) })

  function send() {
    const accounts = new Set(blockers.map(({ ad_account }) => ad_account))
    const waive = [...waivers]
      .filter(([account, reason]) => accounts.has(account) && reason.trim() !== '')
      .map(([ad_account, reason]) => ({ ad_account, reason: reason.trim() }))
    lock.mutate(
      { month, waive, first: isFirst && begins !== undefined },
      {
        onSuccess: ({ statements: count }) => {
          showToast({ severity: 'success', message: t('lock.done', { count }) })
          onClose()
        },
      },
    )
  }

  return (
    <Dialog opened title={title} size={620} loading={lock.isPending} onClose={onClose}>
      <Stack gap="md">
        {checks.data ? (
          <Blockers
            groups={checkGroups(blockers).filter(({ check }) => !begins || check.code !== begins.code)}
            waivers={waivers}
            onWaivers={onWaivers}
          />
        ) : checks.error ? (
          <Problem code={checks.error.code} onRetry={() => void checks.refetch()} />
        ) : (
          <TableLoading rows={2} />
        )}
        {begins && (
          <CheckboxField
            label={t('lock.first', { month: monthText(month, language) })}
            hint={t('lock.first_hint')}
            checked={isFirst}
            onChange={setIsFirst}
          />
        )}
        <div>
          <p className={styles.lead}>{t('lock.frozen', { count: statements.length })}</p>
          <SumsList statements={statements} />
        </div>
        {lock.error && <Refusal error={lock.error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose} disabled={lock.isPending}>
            {tUi('cancel')}
          </Button>
          <Button disabled={!isReady} loading={lock.isPending} onClick={send}>
            {t('lock.submit')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

interface BlockersProps extends WaiversProps {
  groups: readonly CheckGroup[]
}

function Blockers({ groups, waivers, onWaivers }: BlockersProps) {
  const { t } = useTranslation('closing')
  const hard = groups.filter(({ check }) => !check.can_waive)
  const soft = groups.filter(({ check }) => check.can_waive)
  if (groups.length === 0) return <InlineAlert severity="success">{t('lock.no_blockers')}</InlineAlert>
  return (
    <>
      {hard.length > 0 && (
        <InlineAlert severity="error" title={t('lock.blocked', { count: hard.length })}>
          <ul className={styles.bullets}>
            {hard.map(group => (
              <li key={checkKey(group.check)}>
                <CheckText group={group} />
              </li>
            ))}
          </ul>
        </InlineAlert>
      )}
      {soft.map(group => (
        <WaiverField
          key={checkKey(group.check)}
          group={group}
          value={waivers.get(group.check.ad_account ?? 0) ?? ''}
          onChange={reason => onWaivers(withWaiver(waivers, group.check.ad_account ?? 0, reason))}
        />
      ))}
    </>
  )
}

/** Since the dialog was opened, something may have come up: the checks are read again and list it. */
function Refusal({ error }: { error: Refused }) {
  const { t } = useTranslation('closing')
  return error.code === 'lock_blocked' ? (
    <InlineAlert severity="error">{t('lock.refused')}</InlineAlert>
  ) : (
    <Problem code={error.code} audience="internal" />
  )
}
