import { useSearch } from '@tanstack/react-router'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { LinkButton } from '#web/app/links.tsx'
import { usePageTitle } from '#web/app/page-title.ts'
import { MessagePage } from '#web/ui/message-page.tsx'

/** The session is over: what happened, and the way back to where the person was. */
export function Expired() {
  const { t } = useTranslation('sign_in')
  const search = useSearch({ from: '/expired' })
  usePageTitle(t('expired_title'))
  return (
    <MessagePage
      title={t('expired_title')}
      detail={t('expired_detail')}
      action={
        <LinkButton to="/sign-in" search={search}>
          {t('expired_back')}
        </LinkButton>
      }
    />
  )
}
