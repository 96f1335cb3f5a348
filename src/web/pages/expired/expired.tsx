import { useSearch } from '@tanstack/react-router'
import { EntryPage } from '#web/app/entry-page.tsx'
import { LinkButton } from '#web/app/links.tsx'
import { usePageTitle } from '#web/app/page-title.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'

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
