import { useMemo, useState } from 'react'
import type { TargetSheet } from '#shared/api/targets.ts'
import { parseStartCell, type Cell, type Rect } from '#shared/cell.ts'
import { overlapsAt, firstFreeCell, isBlocking, rectAt, type Overlap } from '#shared/overlap.ts'
import { addressIn } from '#web/pages/reports/spreadsheet-link.ts'
import { usePermissionCheck, useTargetSheet, type SavedTarget, type Target } from './data.ts'
import { targetState } from './target-state.ts'

/** How large the table will be, if known. */
export interface ExpectedSize {
  /** Without the header; null: only the data can say it. */
  rows: number | null
  kind: 'exact' | 'about'
  columns: number
}

/** Where the table will be written and what is there already. */
export interface Landing {
  start: Cell
  rect: Rect
  sheet: TargetSheet
  /** The worst first. */
  covered: Overlap[]
  /**
   * The nearest cell where it would overwrite nothing; null: nothing is overwritten, or no such cell is
   * known.
   */
  free: Cell | null
}

export type TargetCheck = ReturnType<typeof useTargetCheck>

/** Whether a report may write to its target, and what its table would overwrite there. */
export function useTargetCheck(
  target: Target,
  { saved, size }: { saved: SavedTarget | null; size: ExpectedSize },
) {
  const url = addressIn(target.spreadsheet_url)
  // The owner is proven for one spreadsheet only.
  const [chosen, setChosen] = useState<{ url: string; advertiser: number } | null>(null)
  const advertiser = chosen?.url === url ? chosen.advertiser : null
  const checked = usePermissionCheck(target, { saved, advertiser })
  const { isFetching, isPlaceholderData, refetch } = checked
  // While somebody types, the last check is about another address.
  const isCurrent = checked.url === url
  const data = isCurrent ? checked.data : undefined
  const isError = isCurrent && checked.isError
  const checkedAt = Math.max(checked.dataUpdatedAt, checked.errorUpdatedAt)
  const report = saved?.id ?? null
  const state = targetState(target.spreadsheet_url, { data, isFetching, isError })
  const isOpen = state === 'ok' && target.sheet_name !== '' && !target.sheet_name.includes(':')
  const query = useTargetSheet(target, { report, enabled: isOpen && !isPlaceholderData })
  const sheet = query.data ?? null
  const { start_cell } = target
  const landing = useMemo(
    () => (isOpen && sheet ? landingOf(sheet, start_cell, size) : null),
    [isOpen, sheet, start_cell, size],
  )
  // Polled while the service has no capacity: meanwhile the page says that nothing has been read yet.
  const is_looking = isOpen && sheet === null && (query.failureCount > 0 || query.isError)
  const isSaved = saved !== null && addressIn(saved.spreadsheet_url) === url
  /** Writing was possible before: access has ended. */
  const is_lost = state === 'proof_required' && isSaved && saved.sheet_id !== null
  /** The address of what was entered, where that was something else; what was saved stays as it is. */
  const address = isSaved ? null : (data?.spreadsheet_url ?? null)
  return useMemo(() => {
    const prove = (of: number) => setChosen({ url, advertiser: of })
    return {
      check: { data, isFetching, checkedAt, refetch, prove },
      url,
      state,
      address,
      isSaved,
      report,
      is_lost,
      landing,
      is_looking,
    }
  }, [
    data,
    isFetching,
    checkedAt,
    refetch,
    url,
    state,
    address,
    isSaved,
    report,
    is_lost,
    landing,
    is_looking,
  ])
}

function landingOf(sheet: TargetSheet, start_cell: string, { rows, columns }: ExpectedSize): Landing | null {
  const start = parseStartCell(start_cell)
  if (typeof start === 'string' || columns === 0) return null
  // If the size is unknown, at least the header and a row are certain.
  const size = { rows: (rows ?? 1) + 1, columns }
  const rect = rectAt(start, size)
  const covered = overlapsAt(sheet, rect)
  return { start, rect, sheet, covered, free: covered.length > 0 ? firstFreeCell(sheet, start, size) : null }
}

/** The same for what is in the fields at this moment: the check follows them with a delay. */
export function checkOf({ spreadsheet_url }: Target, targetCheck: TargetCheck): TargetCheck {
  const url = addressIn(spreadsheet_url)
  if (url === targetCheck.url) return targetCheck
  const check = { ...targetCheck.check, data: undefined }
  return { ...targetCheck, url, check, state: url === '' ? 'none' : 'checking', address: null, landing: null }
}

/** The other report whose table would make a run fail. */
export const overlapIn = (landing: Landing | null) =>
  landing?.covered.find(overlap => overlap.kind === 'table' && isBlocking(overlap)) ?? null
