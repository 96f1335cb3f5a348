import { Button } from '@mantine/core'
import { useState } from 'react'
import type { SkippedReport } from '#shared/api/executions.ts'
import { LinkText } from '#web/client/links.tsx'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { GapChips } from '#web/pages/reports/gap-chips.tsx'
import styles from './execution-panel.module.css'

const AT_FIRST = 6

/** The reports of a click that were not started, each with the places where its setup is completed. */
export function SkippedReports({ skipped }: { skipped: readonly SkippedReport[] }) {
  const { t } = useTranslation('runs')
  const [all, setAll] = useState(false)
  const visible = all ? skipped : skipped.slice(0, AT_FIRST)
  return (
    <section>
      <h3 className={styles.skipped}>{t('skipped.title', { count: skipped.length })}</h3>
      <ul className={styles.reports}>
        {visible.map(({ report, name, code, gaps, target_state }) => (
          <li key={report} className={styles.report}>
            <div className={styles.line}>
              <LinkText to="/gs-template/template" search={{ id: report }} className={styles.name} fz="sm">
                {name}
              </LinkText>
              {code === 'report_busy' ? (
                <span className={styles.why}>{t('skipped.busy')}</span>
              ) : (
                <GapChips report={{ id: report, gaps, target_state }} />
              )}
            </div>
          </li>
        ))}
      </ul>
      {skipped.length > visible.length && (
        <Button variant="subtle" size="xs" onClick={() => setAll(true)}>
          {`+ ${skipped.length - visible.length}`}
        </Button>
      )}
    </section>
  )
}
