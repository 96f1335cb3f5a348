import type { LinkWarning } from '#shared/links/warnings.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useFieldName } from './field-name.ts'

/** What may be wrong with a link, in a sentence. */
export function useWarningText() {
  const { t } = useTranslation('links')
  const fieldName = useFieldName()
  return ({ code, field }: { code: LinkWarning; field: string }) =>
    t(`warning.${code}`, { field: fieldName(field) })
}
