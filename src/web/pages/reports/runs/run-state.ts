import {
  IconAlertTriangle,
  IconBan,
  IconCircleCheck,
  IconCircleX,
  IconClock,
  IconDatabaseImport,
  IconLoader2,
  IconMoodEmpty,
  type Icon,
} from '@tabler/icons-react'
import type { BlockOutcome, RunStatus } from '#shared/api/executions.ts'
import type { Report } from '#shared/api/reports.ts'
import type { Tone } from '#web/ui/status-badge.tsx'

/** How a run is shown: `partial` is a completed one of which some channels lacked output. */
export const runBadges: Record<RunStatus | 'partial', { tone: Tone; icon: Icon }> = {
  queued: { tone: 'neutral', icon: IconClock },
  fetching: { tone: 'accent', icon: IconLoader2 },
  writing: { tone: 'accent', icon: IconDatabaseImport },
  completed: { tone: 'good', icon: IconCircleCheck },
  partial: { tone: 'warn', icon: IconAlertTriangle },
  error: { tone: 'bad', icon: IconCircleX },
  cancelled: { tone: 'neutral', icon: IconBan },
}

export const blockBadges: Record<BlockOutcome['status'], { tone: Tone; icon: Icon }> = {
  pending: { tone: 'neutral', icon: IconClock },
  fetching: { tone: 'accent', icon: IconLoader2 },
  ok: { tone: 'good', icon: IconCircleCheck },
  no_data: { tone: 'warn', icon: IconMoodEmpty },
  error: { tone: 'bad', icon: IconCircleX },
}

export const isMoving = (status: RunStatus) =>
  status === 'queued' || status === 'fetching' || status === 'writing'

/** How far along a run is, 0 to 1: fetching is the longest part, and each block an equal share of it. */
export function shareDone({
  status,
  blocks,
}: {
  status: RunStatus
  blocks: readonly Pick<BlockOutcome, 'status' | 'progress'>[]
}) {
  if (status === 'queued') return 0.02
  if (status === 'writing') return 0.85
  if (status !== 'fetching') return 1
  const done = blocks.reduce((sum, block) => sum + shareOfBlock(block), 0)
  return 0.1 + 0.7 * (done / Math.max(1, blocks.length))
}

function shareOfBlock({ status, progress }: Pick<BlockOutcome, 'status' | 'progress'>): number {
  if (status !== 'pending' && status !== 'fetching') return 1
  const days = progress?.days
  return days ? days.fetched / Math.max(1, days.requested) : 0
}

/** Every block of the table was compared with the platform's own totals, and equals them. */
export const isProven = (blocks: readonly Pick<BlockOutcome, 'status' | 'proof'>[]) =>
  blocks.length > 0 && blocks.every(({ status, proof }) => status === 'ok' && proof?.matches === true)

interface EditedReport {
  /** As it is saved; null: it is new. */
  current: Pick<Report, 'last_run' | 'last_modified_at'> | null
  is_dirty: boolean
}

/** The size of the table in the spreadsheet, while the report is the one that wrote it; null: it is not. */
export function writtenSize({ current, is_dirty }: EditedReport): { rows: number; columns: number } | null {
  const { last_run = null, last_modified_at = '' } = current ?? {}
  if (is_dirty || last_run?.status !== 'completed') return null
  if (last_modified_at > (last_run.finished_at ?? '')) return null
  const { rows, columns } = last_run
  return rows === null || columns === null ? null : { rows, columns }
}
