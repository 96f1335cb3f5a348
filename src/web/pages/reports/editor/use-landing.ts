import { useMemo } from 'react'
import { cellBudget, type CellBudget } from '#shared/cell-budget.ts'
import { dimensions } from '#shared/channels/catalogue.ts'
import { rangeOfRun } from '#shared/date-range.ts'
import { tableSize } from '#shared/table-size.ts'
import { usePreview, type PreviewState } from '#web/pages/reports/preview/data.ts'
import { usePlaced, type ExpectedSize, type Landing } from '#web/pages/reports/target/use-placed.ts'
import type { Draft } from './draft.ts'
import type { Editor } from './use-editor.ts'

export type EditorLanding = ReturnType<typeof useLanding>

/**
 * How large the draft's table will be, where it will stand, and what that leaves of the spreadsheet's cells;
 * the same object while nothing of it changes.
 */
export function useLanding(editor: Editor) {
  const { draft, base, current, today } = editor
  const { fill_zero, dimensions: wanted } = draft
  const { preview } = usePreview(editor)
  const last_rows = current?.last_run?.rows ?? null
  const size = useMemo(
    () => expectedSize(draft, { preview, today, last_rows }),
    [draft, preview, today, last_rows],
  )
  const sheet_id = current?.sheet_id ?? null
  const saved = useMemo(() => base && { ...base, sheet_id }, [base, sheet_id])
  const placed = usePlaced(draft, { saved, size })
  return useMemo(
    () => ({
      size,
      placed,
      from: preview?.estimate?.from ?? null,
      budget: placed.landing && budgetOf(placed.landing, { size, fill_zero, dimensions: wanted, preview }),
    }),
    [size, placed, preview, fill_zero, wanted],
  )
}

/** By the preview, else by what the description alone says, else as in the last table. */
function expectedSize(
  draft: Editor['draft'],
  {
    preview,
    today,
    last_rows,
  }: { preview: PreviewState['preview']; today: string; last_rows: number | null },
): ExpectedSize {
  if (draft.channels.every(block => block.metrics.length === 0))
    return { rows: null, kind: 'about', columns: 0 }
  const { rows, columns } = tableSize(draft, rangeOfRun(draft.date_range, today))
  const { estimate = null } = preview ?? {}
  return {
    rows: estimate?.rows ?? rows ?? last_rows,
    kind: estimate?.kind ?? 'about',
    columns: preview?.columns.length || columns,
  }
}

interface Facts extends Pick<Draft, 'fill_zero' | 'dimensions'> {
  size: ExpectedSize
  preview: PreviewState['preview']
}

function budgetOf(
  { place, start }: Landing,
  { size, fill_zero, dimensions: wanted, preview }: Facts,
): CellBudget | null {
  if (size.rows === null) return null
  const unfilled = fill_zero ? (preview?.unfilled_rows ?? null) : null
  return cellBudget(place, {
    start,
    size: { rows: size.rows + 1, columns: size.columns },
    rows_without_zeros: unfilled === null ? null : unfilled + 1,
    is_by_time: wanted.some(dimension => dimensions[dimension].kind === 'time'),
  })
}
