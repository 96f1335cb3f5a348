import { Loader } from '@mantine/core'
import '@mantine/core/styles/Loader.layer.css'
import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconClock } from '@tabler/icons-react'
import { useState } from 'react'
import { errorFacts, isErrorCode } from '#shared/errors.ts'
import type { PublicAccount } from '#shared/api/public-accounts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ProblemText } from '#web/ui/problem-text.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { useRequestState } from './data.ts'
import styles from './public-accounts.module.css'

/**
 * The platform's last response to the login, or that the request is under way; a change is announced to
 * screen readers.
 */
export function TestCell({ account }: { account: PublicAccount }) {
  const { t } = useTranslation('public_accounts')
  const { pending } = useRequestState(account.id)
  return (
    <div className={styles.test} aria-live="polite" aria-busy={pending !== null}>
      {pending ? (
        <span className={styles.pending}>
          <Loader size={14} aria-hidden />
          {t(`pending.${pending}`)}
        </span>
      ) : (
        <TestResult account={account} />
      )}
    </div>
  )
}

function TestResult({ account: { id, test_result, tested_at } }: { account: PublicAccount }) {
  const { t } = useTranslation('public_accounts')
  const { last } = useRequestState(id)
  const accountCount = last?.request?.kind === 'test' ? last.reply?.accounts : undefined
  if (test_result === null || tested_at === null)
    return <span className={styles.none}>{t('test.never')}</span>
  const when = (
    <small className={styles.when}>
      <RelativeTime at={tested_at} />
    </small>
  )
  if (test_result === 'ok')
    return (
      <>
        <StatusBadge tone="good" icon={IconCircleCheck} label={t('test.ok')} /> {when}
        {accountCount !== undefined && (
          <p className={styles.reason}>{t('test.seen', { count: accountCount })}</p>
        )}
      </>
    )
  const code = isErrorCode(test_result) ? test_result : 'internal_error'
  const passes = errorFacts(code).retried
  return (
    <>
      <StatusBadge
        tone={passes ? 'warn' : 'bad'}
        icon={passes ? IconAlertTriangle : IconCircleX}
        label={t(passes ? 'test.later' : 'test.failed')}
      />{' '}
      {when}
      <p className={styles.reason}>
        <ProblemText code={code} audience="internal" />
        {last?.reply?.message && <q>{last.reply.message}</q>}
      </p>
    </>
  )
}

const SOON_MS = 14 * 86_400_000

/** When the platform will stop taking the login, as far as somebody has said. */
export function ExpiryCell({ at }: { at: string | null }) {
  const { t } = useTranslation('public_accounts')
  const [now] = useState(() => Date.now())
  if (at === null) return <span className={styles.none}>{t('expires.unknown')}</span>
  const leftMs = Date.parse(at) - now
  if (leftMs <= 0) return <StatusBadge tone="bad" icon={IconCircleX} label={t('expires.over')} />
  if (leftMs > SOON_MS) return <RelativeTime at={at} />
  return (
    <span className={styles.soon}>
      <IconClock size={14} stroke={1.8} aria-hidden /> <RelativeTime at={at} />
    </span>
  )
}
