import { IconAlertTriangle, IconCircleCheck, IconCircleX, type Icon } from '@tabler/icons-react'
import type { Link } from '#shared/api/links.ts'
import type { CheckOutcome } from '#shared/links/check-outcomes.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { StatusBadge, type Tone } from '#web/ui/status-badge.tsx'
import styles from './links.module.css'

const icons: Partial<Record<Tone, Icon>> = {
  good: IconCircleCheck,
  warn: IconAlertTriangle,
  bad: IconCircleX,
}

export const toneOf = (outcome: CheckOutcome): 'good' | 'warn' | 'bad' =>
  outcome === 'ok' ? 'good' : outcome === 'utm_lost' ? 'warn' : 'bad'

/** What came of following the link, in a word. */
export function CheckBadge({ check, isChecking = false }: Pick<Link, 'check'> & { isChecking?: boolean }) {
  const { t } = useTranslation('links')
  if (isChecking) return <StatusBadge tone="neutral" label={t('check.checking')} />
  if (check === null) return <span className={styles.quiet}>{t('check.never')}</span>
  const tone = toneOf(check.outcome)
  const icon = icons[tone]
  return <StatusBadge tone={tone} {...(icon && { icon })} label={t(`check.outcome.${check.outcome}`)} />
}

/** The same in a sentence, with each address on the way. */
export function CheckDetails({ check }: { check: NonNullable<Link['check']> }) {
  const { t } = useTranslation('links')
  return (
    <div className={styles.check}>
      <p>
        <CheckBadge check={check} /> <RelativeTime at={check.checked_at} />
      </p>
      <p className={styles.hint}>{t(`check.detail.${check.outcome}`)}</p>
      {check.hops.length > 0 && (
        <ol className={styles.hops} aria-label={t('check.hops')}>
          {check.hops.map(({ url, status }, index) => (
            // One may lead back to where it came from.
            <li key={index}>
              <span data-tabular>{status ?? '–'}</span>
              <span translate="no">{url}</span>
            </li>
          ))}
        </ol>
      )}
    </div>
  )
}
