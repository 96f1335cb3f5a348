import type { Gap, Report } from '#shared/api/reports.ts'
import { listText } from '#shared/language.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'

/** What is missing; of a spreadsheet that is shared it is only the proof of control. */
export const gapNameOf = (gap: Gap, { target_state }: Pick<Report, 'target_state'>) =>
  gap === 'permission_not_set' && target_state === 'proof_required' ? 'proof_required' : gap

/** What is not set, within a sentence. */
export function useGapText(): (report: Pick<Report, 'gaps' | 'target_state'>) => string {
  const { t, language } = useTranslation('reports')
  return report =>
    listText(
      report.gaps.map(gap => t(`gap_short.${gapNameOf(gap, report)}`)),
      language,
    )
}
