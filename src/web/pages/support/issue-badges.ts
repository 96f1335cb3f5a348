import {
  IconCircleCheck,
  IconCircleDot,
  IconMessageCheck,
  IconProgress,
  type Icon,
} from '@tabler/icons-react'
import type { IssueState } from '#shared/api/support.ts'
import type { Tone } from '#web/ui/status-badge.tsx'

/** Badge of each state of an issue, in the order in which they follow. */
export const issueBadges = {
  open: { tone: 'warn', icon: IconCircleDot },
  in_progress: { tone: 'accent', icon: IconProgress },
  answered: { tone: 'good', icon: IconMessageCheck },
  closed: { tone: 'neutral', icon: IconCircleCheck },
} as const satisfies Record<IssueState, { tone: Tone; icon: Icon }>
