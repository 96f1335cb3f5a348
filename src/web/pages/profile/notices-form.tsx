import { useEffect, useRef } from 'react'
import type { User } from '#shared/api/people.ts'
import { mailChoices } from '#shared/notices.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Card } from '#web/ui/card.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { useSaveProfile } from './data.ts'

/** Which notices go to the e-mail address as well; the bell has all of them. */
export function NoticesForm({ user }: { user: User }) {
  const { t } = useTranslation('profile')
  const section = useRef<HTMLDivElement>(null)
  // A link to this part of the page (from the bell or a mail) must scroll to it now: it was not there yet
  // when the page opened.
  useEffect(() => {
    if (location.hash === '#notices') section.current?.scrollIntoView()
  }, [])
  const save = useSaveProfile(() => showToast({ severity: 'success', message: t('saved') }))
  return (
    <div id="notices" ref={section}>
      <Card title={t('notices')}>
        <SelectField
          label={t('mail_notices')}
          options={mailChoices.map(value => ({ value, label: t(`mail_notices_${value}`) }))}
          value={save.variables?.mail_notices ?? user.mail_notices}
          onChange={mail_notices => save.mutate({ mail_notices })}
          hint={t(user.email === null ? 'mail_notices_no_address' : 'mail_notices_hint')}
          disabled={user.email === null || save.isPending}
        />
        {save.error && <Problem code={save.error.code} />}
      </Card>
    </div>
  )
}
