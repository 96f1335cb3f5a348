import type { Report } from '#shared/api/reports.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ProblemText } from '#web/ui/problem-text.tsx'
import { useBulkAction } from './use-bulk.ts'

export interface ActionDialogProps {
  reports: readonly Report[]
  /** The selection is cleared. */
  onDone: () => void
  onClose: () => void
}

/** An action on these reports as the dialogs show it. */
export function useDialogAction(reports: readonly Report[], onDone: () => void) {
  const { t } = useTranslation('actions')
  const bulk = useBulkAction()
  const act: (
    action: Parameters<typeof bulk.act>[0],
    message: ((count: number) => string) | null,
  ) => ReturnType<typeof bulk.act> = async (action, message) => {
    const results = await bulk.act(action, reports, message)
    if (results) onDone()
    return results
  }
  const problem = bulk.problem ? (
    <ProblemText code={bulk.problem.code} />
  ) : (
    bulk.loading && bulk.done > 0 && t('progress', { done: bulk.done, total: reports.length })
  )
  return { act, state: { loading: bulk.loading, problem } }
}
