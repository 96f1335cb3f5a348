import { IconTool } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { Report } from '#shared/api/reports.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import styles from './gap-chips.module.css'
import { pageOfGap } from './use-go-to-gap.ts'

/** What prevents a report from running; each chip opens the place where it can be fixed. */
export function GapChips({ report }: { report: Pick<Report, 'id' | 'gaps' | 'target_state'> }) {
  const { t } = useTranslation('reports')
  const { id, gaps, target_state } = report
  if (gaps.length === 0) return null
  return (
    <span className={styles.chips}>
      <span className={styles.lead}>
        <IconTool size={12} stroke={1.8} aria-hidden />
        {t('gaps')}
      </span>
      {gaps.map(gap => {
        const name =
          gap === 'permission_not_set' && target_state === 'proof_required' ? 'proof_required' : gap
        return (
          <Link
            key={gap}
            {...pageOfGap[gap]}
            search={{ id }}
            className={styles.chip}
            aria-label={t('gap_mend', { gap: t(`gap.${name}`) })}
          >
            {t(`gap_short.${name}`)}
          </Link>
        )
      })}
    </span>
  )
}
