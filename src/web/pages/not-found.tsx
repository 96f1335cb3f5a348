import { LinkButton } from '#web/client/links.tsx'
import { usePageTitle } from '#web/client/page-title.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { MessagePage } from '#web/ui/message-page.tsx'

export function NotFound() {
  const { t } = useTranslation('app')
  usePageTitle(t('not_found.title'))
  return (
    <MessagePage
      title={t('not_found.title')}
      detail={t('not_found.detail')}
      action={<LinkButton to="/">{t('not_found.home')}</LinkButton>}
    />
  )
}
