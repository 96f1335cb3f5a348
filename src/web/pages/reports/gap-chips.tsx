import { IconTool } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { Report } from '#shared/api/reports.ts'
import { gapNameOf, gapNames } from '#shared/gap-names.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import styles from './gap-chips.module.css'
import { pageOfGap } from './use-go-to-gap.ts'

interface GapChipsProps {
  report: Pick<Report, 'id' | 'gaps' | 'target_state'>
  /** false: this person may only view the report. */
  mayChange?: boolean
}

/** What prevents a report from running; each chip opens the place where this person can fix it. */
export function GapChips({ report, mayChange = true }: GapChipsProps) {
  const { t, language } = useTranslation('reports')
  if (report.gaps.length === 0) return null
  return (
    <span className={styles.chips}>
      <span className={styles.lead}>
        <IconTool size={12} stroke={1.8} aria-hidden />
        {t('gaps')}
      </span>
      {report.gaps.map(gap => {
        const name = gapNames[gapNameOf(gap, report)][language]
        if (!mayChange)
          return (
            <span key={gap} className={styles.chip}>
              {name}
            </span>
          )
        return (
          <Link
            key={gap}
            {...pageOfGap[gap]}
            search={{ id: report.id }}
            className={styles.chip}
            aria-label={t('gap_mend', { gap: name })}
          >
            {name}
          </Link>
        )
      })}
    </span>
  )
}
