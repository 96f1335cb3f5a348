import { utmFields } from '#shared/links/parameters.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'

const plain = ['advertiser', 'preset', 'platform', 'name', 'landing_url', 'link', 'extra'] as const
const named = [...plain, ...utmFields, 'site', 'publisher', 'image', 'file'] as const

/** What a field of a refusal is called, such as `extra.0.key`; an unknown one is what it is. */
export function useFieldName() {
  const { t } = useTranslation('links')
  return (path: string) => {
    const [first = ''] = path.split('.')
    const field = named.find(name => name === first)
    return field ? t(`field.${field}`) : path
  }
}
