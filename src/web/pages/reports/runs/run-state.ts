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
  blocks: readonly Pick<BlockOutcome, 'status'>[]
}) {
  if (status === 'queued') return 0.02
  if (status === 'writing') return 0.85
  if (status !== 'fetching') return 1
  const done = blocks.filter(block => block.status !== 'pending' && block.status !== 'fetching').length
  return 0.1 + 0.7 * (done / Math.max(1, blocks.length))
}

/** Every block of the table was compared with the platform's own totals, and equals them. */
export const isProven = (blocks: readonly Pick<BlockOutcome, 'status' | 'proof'>[]) =>
  blocks.length > 0 && blocks.every(({ status, proof }) => status === 'ok' && proof?.matches === true)
