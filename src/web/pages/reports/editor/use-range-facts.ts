import { useMemo } from 'react'
import { hasEnded } from '#shared/schedule-end.ts'
import { archiveMonths, earliestStart } from '#shared/report-rules.ts'
import { extendedEnd } from './ended.ts'
import type { Editor } from './use-editor.ts'

export type RangeFacts = ReturnType<typeof useRangeFacts>

/** What the rules say about the days that a report may cover. */
export function useRangeFacts({ draft, saved, today, history_extended }: RangeSubject) {
  const { channels, date_range } = draft
  const months = archiveMonths({ report: { channels } })
  const earliest = earliestStart({ report: { channels }, today, history_extended })
  const saved_start = saved?.date_range.start ?? null
  return useMemo(() => {
    const archive = months !== null
    return {
      today,
      archive,
      history_extended,
      // A range that is already saved stays in reach, however old it has become.
      minimum: saved_start !== null && saved_start < earliest ? saved_start : earliest,
      ended: hasEnded(date_range, today),
      extended_end: extendedEnd(date_range, { today, earliest, history_extended, archive }),
    }
  }, [months, earliest, saved_start, date_range, today, history_extended])
}

type RangeSubject = Pick<Editor, 'draft' | 'saved' | 'today' | 'history_extended'>
