import { useEffect, useEffectEvent, useState } from 'react'
import { addressIn } from '#web/pages/reports/spreadsheet-link.ts'
import { useTabs, useTargetSheet, type Target } from './data.ts'
import { suggestTarget, usableTabs, type Suggestion } from './suggestion.ts'
import { isFileFine } from './target-state.ts'
import type { ExpectedSize, TargetCheck } from './use-target-check.ts'

interface UseSuggestionProps {
  value: Target
  onChange: (change: Partial<Target>) => void
  targetCheck: TargetCheck
  size: ExpectedSize
}

/**
 * A tab and a cell, while none is chosen. In a spreadsheet that was just entered an empty tab is chosen at
 * once; in a saved one nothing changes by itself, and where no tab is empty it is for the person to say.
 */
export function useSuggestion({ value, onChange, targetCheck, size }: UseSuggestionProps) {
  const { state, isSaved, report } = targetCheck
  const url = addressIn(value.spreadsheet_url)
  const isOpen = isFileFine(state) && value.sheet_name === ''
  const { data: tabs } = useTabs(value.spreadsheet_url, isOpen)
  const [first] = usableTabs(tabs ?? [])
  const beginning = {
    spreadsheet_url: value.spreadsheet_url,
    sheet_name: first?.title ?? '',
    start_cell: 'A1',
  }
  const reading = useTargetSheet(beginning, { report, enabled: isOpen && first !== undefined })
  const sheet = first && reading.data
  const found =
    isOpen && tabs && sheet
      ? suggestTarget(tabs, sheet, {
          size: { rows: (size.rows ?? 1) + 1, columns: size.columns },
          start_cell: value.start_cell,
        })
      : null
  const [taken, setTaken] = useState<{ url: string; suggestion: Suggestion } | null>(null)
  // Once for each spreadsheet: whoever empties the field again wants something else.
  const toTake = found?.isEmpty && !isSaved && taken?.url !== url ? found : null
  const take = useEffectEvent((suggestion: Suggestion) => {
    setTaken({ url, suggestion })
    onChange({ sheet_name: suggestion.sheet_name, start_cell: suggestion.start_cell })
  })
  const key = toTake && `${url} ${toTake.sheet_name} ${toTake.start_cell}`
  useEffect(() => {
    if (toTake) take(toTake)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- a new object says the same
  }, [key])
  const isTaken = !isSaved && taken?.url === url && taken.suggestion.sheet_name === value.sheet_name
  const isPending =
    isOpen && (tabs === undefined || (first !== undefined && reading.isLoading) || toTake !== null)
  return { offered: found, isOffered: isOpen && !isPending, isTaken, isPending }
}
