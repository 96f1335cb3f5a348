import { useTranslation } from '#web/i18n/use-translation.ts'
import { useClients } from '#web/pages/reports/bulk-changes/data.ts'
import { SelectField } from '#web/ui/select-field.tsx'
import { useInsightView } from './view.ts'

const ANY = 'any'
const AGENCY = 'agency'

/** Whose settings are listed: everybody's, an advertiser's, or where it has some the agency's own. */
export function ScopeFilter({ agency = false }: { agency?: boolean }) {
  const { t } = useTranslation('insight')
  const { view, change } = useInsightView()
  const advertisers = useClients().data ?? []
  return (
    <SelectField
      aria-label={t('scope.filter')}
      searchable
      value={String(view.advertiser ?? ANY)}
      options={[
        { value: ANY, label: t('scope.any') },
        ...(agency ? [{ value: AGENCY, label: t('scope.agency') }] : []),
        ...advertisers.map(({ id, name }) => ({ value: String(id), label: name })),
      ]}
      onChange={chosen => change({ advertiser: read(chosen) })}
    />
  )
}

const read = (chosen: string) => (chosen === ANY ? undefined : chosen === AGENCY ? AGENCY : Number(chosen))
