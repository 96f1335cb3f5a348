import { useSearch } from '@tanstack/react-router'
import { LinkButton } from '#web/client/links.tsx'
import { usePageTitle } from '#web/client/page-title.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { EntryPage } from '#web/pages/entry-page.tsx'

/** The session is over: what happened, and the way back to where the person was. */
export function Expired() {
  const { t } = useTranslation('sign_in')
  const search = useSearch({ from: '/expired' })
  usePageTitle(t('expired_title'))
  return (
    <EntryPage title={t('expired_title')} detail={t('expired_detail')}>
      <LinkButton to="/sign-in" search={search} fullWidth size="md">
        {t('expired_back')}
      </LinkButton>
    </EntryPage>
  )
}
