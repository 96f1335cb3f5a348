import type { Run } from '#shared/api/executions.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { instantText } from '#web/ui/times.ts'

/** The trigger of the run: a schedule or a person, and of a restore which table it wrote back. */
export function RunTrigger({ run }: { run: Pick<Run, 'trigger' | 'restores' | 'requested_by_name'> }) {
  const { t } = useTranslation('runs')
  const { t: tHistory, language } = useTranslation('history')
  const about = [
    run.restores && tHistory('table_of', { when: instantText(run.restores.at, language) }),
    run.requested_by_name !== null && tHistory('by', { name: run.requested_by_name }),
  ].filter(Boolean)
  return (
    <span>
      {t(`trigger.${run.trigger}`)}
      {about.length > 0 && <small> · {about.join(' · ')}</small>}
    </span>
  )
}
