import { useMemo, useState } from 'react'
import type { TargetSheet } from '#shared/api/targets.ts'
import { parseStartCell, type Cell, type Rect } from '#shared/cell.ts'
import { overlapsAt, firstFreeCell, isBlocking, rectAt, type Overlap } from '#shared/overlap.ts'
import { usePermissionCheck, useTargetSheet, type SavedTarget, type Target } from './data.ts'
import { targetState } from './target-state.ts'

/** How large the table will be, as far as anybody knows. */
export interface ExpectedSize {
  /** Without the header; null: only the data can say it. */
  rows: number | null
  kind: 'exact' | 'about'
  columns: number
}

/** Where the table will stand and what is there already. */
export interface Landing {
  start: Cell
  rect: Rect
  sheet: TargetSheet
  /** The worst first. */
  covered: Overlap[]
  /** From where it would cover nothing; null: nothing is covered, or nobody knows of such a cell. */
  free: Cell | null
}

export type TargetCheck = ReturnType<typeof useTargetCheck>

/** Whether a report may write to its target, and what its table would cover there. */
export function useTargetCheck(
  target: Target,
  { saved, size }: { saved: SavedTarget | null; size: ExpectedSize },
) {
  const url = target.spreadsheet_url.trim()
  // For whom it is proven is said of one spreadsheet, and no other.
  const [chosen, setChosen] = useState<{ url: string; advertiser: number } | null>(null)
  const advertiser = chosen?.url === url ? chosen.advertiser : null
  const { data, isFetching, isError, isPlaceholderData, refetch } = usePermissionCheck(target, {
    saved,
    advertiser,
  })
  const state = targetState(target.spreadsheet_url, { data, isFetching, isError })
  const isOpen = state === 'ok' && target.sheet_name !== '' && !target.sheet_name.includes(':')
  const query = useTargetSheet(target, { report: saved?.id ?? null, enabled: isOpen && !isPlaceholderData })
  const sheet = query.data ?? null
  const { start_cell } = target
  const landing = useMemo(
    () => (isOpen && sheet ? landingOf(sheet, start_cell, size) : null),
    [isOpen, sheet, start_cell, size],
  )
  // Asked again and again while the service has no time: meanwhile it is said that nobody has looked yet.
  const is_looking = isOpen && sheet === null && (query.failureCount > 0 || query.isError)
  /** It could be written to before: the right to it has ended. */
  const is_lost = state === 'proof_required' && saved?.spreadsheet_url === url && saved.sheet_id !== null
  return useMemo(() => {
    const prove = (of: number) => setChosen({ url, advertiser: of })
    return { check: { data, isFetching, refetch, prove }, state, is_lost, landing, is_looking }
  }, [data, isFetching, refetch, url, state, is_lost, landing, is_looking])
}

function landingOf(sheet: TargetSheet, start_cell: string, { rows, columns }: ExpectedSize): Landing | null {
  const start = parseStartCell(start_cell)
  if (typeof start === 'string' || columns === 0) return null
  // Of a table that nobody can foresee, the header and a row are sure.
  const size = { rows: (rows ?? 1) + 1, columns }
  const rect = rectAt(start, size)
  const covered = overlapsAt(sheet, rect)
  return { start, rect, sheet, covered, free: covered.length > 0 ? firstFreeCell(sheet, start, size) : null }
}

/** The other report whose table a run would refuse to write over. */
export const overlapIn = (landing: Landing | null) =>
  landing?.covered.find(overlap => overlap.kind === 'table' && isBlocking(overlap)) ?? null
