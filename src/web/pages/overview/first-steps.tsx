import { IconReportAnalytics } from '@tabler/icons-react'
import { LinkButton } from '#web/client/links.tsx'
import { useMe } from '#web/client/me.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { FirstStepsCard } from './first-steps-card.tsx'
import styles from './overview.module.css'

/** Shown when there is nothing yet: what to do first, depending on what is missing and on the role. */
export function FirstSteps({ has_accounts }: { has_accounts: boolean }) {
  const { t } = useTranslation('overview_later')
  const { identity } = useMe()
  const make = <LinkButton to="/gs-template/new">{t('empty_action')}</LinkButton>
  const empty = has_accounts
    ? { title: t('empty_title'), detail: t('empty_detail'), actions: make }
    : identity === 'superuser'
      ? {
          title: t('connect_title'),
          detail: t('connect_detail'),
          actions: (
            <LinkButton to="/setting/public-account" search={{ search: '', page: 1 }}>
              {t('connect_action')}
            </LinkButton>
          ),
        }
      : {
          title: t('no_accounts_title'),
          detail: t(identity === 'external_user' ? 'no_accounts_client' : 'no_accounts_staff'),
        }
  return (
    <div className={styles.page}>
      {has_accounts && <FirstStepsCard />}
      <div className={styles.wide}>
        <Card>
          <EmptyState icon={IconReportAnalytics} {...empty} />
        </Card>
      </div>
    </div>
  )
}
