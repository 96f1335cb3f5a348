import { useNavigate } from '@tanstack/react-router'
import type { Gap } from '#shared/api/reports.ts'
import { gapText } from '#shared/gap-names.ts'
import type { Problem } from '#web/client/problem.ts'
import { showToast } from '#web/client/toasts.ts'
import { useLanguage } from '#web/i18n/use-translation.ts'

/** Where each gap is closed. */
export const pageOfGap = {
  start_cell_not_set: { to: '/gs-template/setting', hash: '' },
  page_not_set: { to: '/gs-template/setting', hash: '' },
  permission_not_set: { to: '/gs-template/setting', hash: '' },
  channels_not_set: { to: '/gs-template/template', hash: 'channels' },
} as const satisfies Record<Gap, { to: string; hash: string }>

/**
 * Goes to the first gap of a report that could not be started because of its gaps; false: that is not why it
 * could not be started.
 */
export function useGoToGap() {
  const language = useLanguage()
  const navigate = useNavigate()
  return (report: number, { code, body }: Problem): boolean => {
    const gaps = code === 'report_has_gaps' && Array.isArray(body.gaps) ? body.gaps.filter(isGap) : []
    const [gap] = gaps
    if (gap === undefined) return false
    // A toast that is shown before would be closed by the change of route.
    void navigate({ ...pageOfGap[gap], search: { id: report } }).then(() =>
      showToast({
        severity: 'warning',
        message: gapText({ gaps, target_state: null }, language),
      }),
    )
    return true
  }
}

const isGap = (gap: unknown): gap is Gap => typeof gap === 'string' && Object.hasOwn(pageOfGap, gap)
