import type { User } from '#shared/api/people.ts'
import { employmentOf } from '#shared/employment.ts'
import { nameOf } from '#shared/person-name.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'

/** What a person is called on the pages of people, where it is known that an account was deleted. */
export function usePersonName() {
  const { t } = useTranslation('users')
  return (user: Pick<User, 'user_id' | 'full_name' | 'username' | 'employment_status'>) =>
    employmentOf(user.employment_status) === 'deleted'
      ? t('deleted_user', { id: user.user_id })
      : nameOf(user)
}
