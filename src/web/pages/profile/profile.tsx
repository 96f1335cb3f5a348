import { useMe } from '#web/client/me.ts'
import { usePageTitle } from '#web/client/page-title.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { SecondFactorCard } from '#web/pages/second-factor/second-factor-card.tsx'
import { useDepartments } from '#web/pages/use-departments.ts'
import { Card } from '#web/ui/card.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { TableLoading } from '#web/ui/table-loading.tsx'
import { ContactForm } from './contact-form.tsx'
import { useProfile } from './data.ts'
import { NoticesForm } from './notices-form.tsx'
import { PasswordForm } from './password-form.tsx'
import styles from './profile.module.css'
import { SessionsCard } from './sessions-card.tsx'
import { ShortcutsCard } from './shortcuts-card.tsx'

/** The own account: role, contact details and password. */
export function Profile() {
  const { t } = useTranslation('profile')
  const profile = useProfile()
  usePageTitle(t('title'))
  return (
    <div className={styles.page}>
      <PageHeader title={t('title')} />
      {profile.error ? (
        <Problem code={profile.error.code} onRetry={() => void profile.refetch()} />
      ) : !profile.data ? (
        <TableLoading rows={4} />
      ) : (
        <>
          <Account email={profile.data.email} />
          <ContactForm user={profile.data} />
          <NoticesForm user={profile.data} />
          <ShortcutsCard />
          <PasswordForm />
          <SecondFactorCard />
          <SessionsCard />
        </>
      )}
    </div>
  )
}

/** The fields that only a superuser can change. */
function Account({ email }: { email: string | null }) {
  const { t } = useTranslation('profile')
  const { t: tApp } = useTranslation('app')
  const me = useMe()
  const departments = useDepartments()
  const department = departments.data?.find(({ id }) => id === me.department)?.name
  return (
    <Card title={t('account')}>
      <dl className={styles.facts}>
        <dt>{t('username')}</dt>
        <dd>{me.username}</dd>
        <dt>{t('role')}</dt>
        <dd>{tApp(`identity.${me.identity}`)}</dd>
        {me.department !== null && (
          <>
            <dt>{t('department')}</dt>
            <dd>{department}</dd>
          </>
        )}
        <dt>{t('email')}</dt>
        <dd>{email ?? '–'}</dd>
      </dl>
    </Card>
  )
}
