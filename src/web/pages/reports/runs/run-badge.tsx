import type { RunStatus } from '#shared/api/executions.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { runBadges } from './run-state.ts'

/** The state of a run in a word and an icon. */
export function RunBadge({ status, partial = false }: { status: RunStatus; partial?: boolean }) {
  const { t } = useTranslation('runs')
  const state = status === 'completed' && partial ? 'partial' : status
  return <StatusBadge {...runBadges[state]} label={t(`status.${state}`)} />
}
