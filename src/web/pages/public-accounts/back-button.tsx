import { LinkButton } from '#web/client/links.tsx'
import { useTranslation } from '#web/i18n/use-translation.ts'

/** From the page that platforms send people back to. */
export function BackButton() {
  const { t } = useTranslation('connections')
  return (
    <LinkButton to="/setting/public-account" search={{ search: '', page: 1 }} variant="default" fullWidth>
      {t('callback.back')}
    </LinkButton>
  )
}
