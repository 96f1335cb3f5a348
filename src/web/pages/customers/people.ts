import type { User } from '#shared/api/people.ts'
import { nameOf } from '#shared/person-name.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useDepartments } from '#web/pages/use-departments.ts'
import { useOpenUsers } from '#web/pages/users/data.ts'
import type { GroupedOption } from '#web/ui/multi-select-rules.ts'

/** Somebody who can be a member of an advertiser. */
export interface MemberOption {
  id: number
  name: string
  user: User
}

/** Everybody whose account is open, by name. */
export function usePeople(): MemberOption[] {
  const users = useOpenUsers().data ?? []
  return users.map(user => ({ id: user.user_id, name: nameOf(user), user }))
}

/** The agency's own people. */
export const useColleagues = () => usePeople().filter(({ user }) => user.identity !== 'external_user')

/** To choose members: colleagues under their departments, clients under a group of their own. */
export function useMemberOptions(): GroupedOption<number>[] {
  const { t } = useTranslation('advertisers')
  const departments = useDepartments().data ?? []
  const groupOf = ({ identity, department }: User) =>
    identity === 'external_user'
      ? t('members.clients')
      : (departments.find(({ id }) => id === department)?.name ?? t('members.agency'))
  const options = usePeople().map(({ id, name, user }) => ({ value: id, label: name, group: groupOf(user) }))
  const last = t('members.clients')
  return options.toSorted(
    (a, b) => Number(a.group === last) - Number(b.group === last) || a.group.localeCompare(b.group),
  )
}
