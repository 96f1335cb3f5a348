import { useState } from 'react'
import { isErrorCode } from '#shared/errors.ts'
import { useIsInternal } from '#web/client/me.ts'
import { showToast } from '#web/client/toasts.ts'
import { asProblem, type Problem } from '#web/client/problem.ts'
import { useReload } from '#web/client/use-reload.ts'
import type { RichPart } from '#web/i18n/rich-text.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { problemText } from '#web/ui/problem-text.tsx'
import { bulkInBatches } from './data.ts'
import { undoPlan, type Bulk, type BulkResult, type Subject } from './undo-plan.ts'
import { useUndoToast } from './use-undo-toast.ts'

/** At most this many of the refused reports are named. */
const NAMED = 8

/**
 * An action on one report or on many: its progress, what was refused and why, and how to undo it.
 * `onProblem`: nothing was done, where no dialog shows it.
 */
export function useBulkAction(onProblem?: (problem: Problem) => void) {
  const reload = useReload('folders', 'reports', 'shares')
  const tellUndoable = useUndoToast()
  const tellRefused = useTellRefused()
  const [problem, setProblem] = useState<Problem | null>(null)
  const [done, setDone] = useState<number | null>(null)

  /**
   * Returns the outcomes; null when nothing was done, and `problem` says why. Without a message the caller
   * reports the outcome.
   */
  async function act(
    action: Omit<Bulk, 'ids'>,
    reports: readonly Subject[],
    message: ((count: number) => string) | null,
  ) {
    setProblem(null)
    setDone(0)
    try {
      const results = await bulkInBatches({ ...action, ids: reports.map(({ id }) => id) }, setDone)
      const plan = undoPlan(action, reports, results)
      const count = results.filter(({ status }) => status === 'ok').length
      if (message && plan.length > 0) tellUndoable(message(count), () => carryOut(plan))
      else if (message && count > 0) showToast({ severity: 'success', message: message(count) })
      tellRefused(reports, results)
      return results
    } catch (error) {
      setProblem(asProblem(error))
      onProblem?.(asProblem(error))
      return null
    } finally {
      setDone(null)
      void reload()
    }
  }

  return { act, problem, loading: done !== null, done: done ?? 0 }
}

/** Runs the requests of an undo plan; throws when any of them is refused. */
export async function carryOut(plan: readonly Bulk[]) {
  for (const action of plan) {
    const results = await bulkInBatches(action)
    if (results.some(({ status }) => status === 'refused')) throw new Error('not all of it')
  }
}

/** Which reports were left as they are, and why. */
function useTellRefused() {
  const { t, language } = useTranslation('actions')
  const audience = useIsInternal() ? 'internal' : 'external'
  return (reports: readonly Subject[], results: readonly BulkResult[]) => {
    const refused = results.filter(({ status }) => status === 'refused')
    if (refused.length === 0) return
    const lines = refused.slice(0, NAMED).map(({ id, code }) => {
      const why = code !== null && isErrorCode(code) ? problemText(code, audience, language) : ''
      return t('refused', { name: reports.find(report => report.id === id)?.name ?? '', why })
    })
    const more = refused.length - lines.length
    const all = more > 0 ? [...lines, t('refused_more', { count: more })] : lines
    showToast({
      severity: 'warning_long',
      duration: 0,
      message: t('refused_title', { count: refused.length }),
      sub_message: all.flatMap((line, at): RichPart[] => (at === 0 ? [line] : [{ line_break: true }, line])),
    })
  }
}
