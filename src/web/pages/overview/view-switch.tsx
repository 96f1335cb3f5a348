import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Grouping } from '#shared/api/overview-groups.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Choice } from './choice.tsx'
import { withChange } from './search.ts'

/** For who leads others: their own reports, teams or clients. */
export function ViewSwitch({ by }: { by: Grouping | undefined }) {
  const { t } = useTranslation('overview_later')
  const search = useSearch({ from: '/shell/' })
  const navigate = useNavigate()
  return (
    <Choice
      label={t('views.label')}
      options={(['mine', 'teams', 'clients'] as const).map(value => ({ value, name: t(`views.${value}`) }))}
      chosen={by === undefined ? 'mine' : search.view}
      onChoose={view =>
        void navigate({ to: '/', search: withChange(search, { view: view === 'mine' ? undefined : view }) })
      }
    />
  )
}
