import { useMemo } from 'react'
import { cellBudget, type CellBudget } from '#shared/cell-budget.ts'
import { dimensions } from '#shared/channels/catalogue.ts'
import { rangeOfRun } from '#shared/date-range.ts'
import { tableSize } from '#shared/table-size.ts'
import type { PreviewState } from '#web/pages/reports/preview/data.ts'
import {
  useTargetCheck,
  type ExpectedSize,
  type Landing,
} from '#web/pages/reports/target/use-target-check.ts'
import type { Draft } from './draft.ts'
import type { Editor } from './use-editor.ts'

export type EditorLanding = ReturnType<typeof useLanding>

/**
 * How large the draft's table will be, where it will be written, and how many of the spreadsheet's cells
 * remain; the same object while none of it changes.
 */
export function useLanding(editor: Editor, preview: PreviewState['preview']) {
  const { draft, base, current, today } = editor
  const { fill_zero, dimensions: dimensionIds } = draft
  const last_rows = current?.last_run?.rows ?? null
  const size = useMemo(
    () => expectedSize(draft, { preview, today, last_rows }),
    [draft, preview, today, last_rows],
  )
  const sheet_id = current?.sheet_id ?? null
  const saved = useMemo(() => base && { ...base, sheet_id }, [base, sheet_id])
  const targetCheck = useTargetCheck(draft, { saved, size })
  return useMemo(
    () => ({
      size,
      targetCheck,
      from: preview?.estimate?.from ?? null,
      budget:
        targetCheck.landing &&
        budgetOf(targetCheck.landing, { size, fill_zero, dimensions: dimensionIds, preview }),
    }),
    [size, targetCheck, preview, fill_zero, dimensionIds],
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
  { sheet, start }: Landing,
  { size, fill_zero, dimensions: dimensionIds, preview }: Facts,
): CellBudget | null {
  if (size.rows === null) return null
  const unfilled = fill_zero ? (preview?.unfilled_rows ?? null) : null
  return cellBudget(sheet, {
    start,
    size: { rows: size.rows + 1, columns: size.columns },
    rows_without_zeros: unfilled === null ? null : unfilled + 1,
    is_by_time: dimensionIds.some(dimension => dimensions[dimension].kind === 'time'),
  })
}
