import type { EmptyBecause } from '#shared/api/executions.ts'
import { filterFields, filterRules } from '#shared/channels/catalogue.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'

/** Why a channel came back without rows: the cause, and which filter or account it is about. */
export function EmptyReason({ because: { cause, detail } }: { because: EmptyBecause }) {
  const { t, language } = useTranslation('runs')
  const { t: tOutcomes } = useTranslation('outcomes')
  const { t: tEditor } = useTranslation('editor')
  const field = Object.entries(filterFields).find(([id]) => id === detail.filter)?.[1]
  const rule = filterRules.find(candidate => candidate === detail.rule)
  const values = Array.isArray(detail.values) ? detail.values : []
  const about =
    field && rule
      ? t('empty.filter', {
          field: field.names[language],
          rule: tEditor(`rule.${rule}`),
          values: values.map(value => t('empty.value', { value })).join(t('empty.or')),
        })
      : typeof detail.account === 'string' && t('empty.account', { account: detail.account })
  return (
    <p>
      {t('empty.because', { cause: tOutcomes(`empty.${cause}`) })}
      {about && <small>{about}</small>}
    </p>
  )
}
