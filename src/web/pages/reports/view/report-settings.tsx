import { IconChevronRight } from '@tabler/icons-react'
import type { Report } from '#shared/api/reports.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { ConflictPart } from '#web/pages/reports/editor/conflict.ts'
import { useKnown } from '#web/pages/reports/editor/data.ts'
import { draftOf, type Draft } from '#web/pages/reports/editor/draft.ts'
import { useFieldText } from '#web/pages/reports/editor/field-text.ts'
import styles from './report-view.module.css'

/** What a reader asks for, in that order; the name is the title of the page. */
const parts = [
  'channels',
  'dimensions',
  'date_range',
  'schedule',
  'timezone',
  'arrangement',
  'fill_zero',
] as const satisfies readonly ConflictPart[]

/** What most reports leave as it is. */
const chosenParts = ({ currency, comparison, blends, note }: Draft): ConflictPart[] => [
  ...(currency === null ? [] : ['currency' as const]),
  ...(comparison === null ? [] : ['comparison' as const]),
  ...(blends.length === 0 ? [] : ['blends' as const]),
  ...(note ? ['note' as const] : []),
]

/** How the report is made, in words, folded. */
export function ReportSettings({ report }: { report: Report }) {
  const { t } = useTranslation('editor')
  const { t: tReports } = useTranslation('reports')
  const textOf = useFieldText(useKnown(report.channels))
  const draft = draftOf(report)
  return (
    <details className={styles.settings}>
      <summary>
        <IconChevronRight size={16} stroke={1.7} aria-hidden />
        {tReports('viewing.settings')}
      </summary>
      <dl>
        {[...parts, ...chosenParts(draft)].map(part => (
          <div key={part}>
            <dt>{t(`field.${part}`)}</dt>
            <dd>{textOf(draft, part)}</dd>
          </div>
        ))}
        <div>
          <dt>{tReports('viewing.target')}</dt>
          <dd>{`${report.sheet_name} · ${report.start_cell}`}</dd>
        </div>
      </dl>
    </details>
  )
}
