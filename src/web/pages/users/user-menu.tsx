import {
  IconArrowsExchange,
  IconDeviceMobileOff,
  IconDoorExit,
  IconKey,
  IconLock,
  IconLockOpen,
  IconPencil,
  IconPlayerPause,
  IconTrash,
  IconUserCheck,
} from '@tabler/icons-react'
import type { User } from '#shared/api/people.ts'
import { employmentOf, employmentSteps, hasLeft, type EmploymentStatus } from '#shared/employment.ts'
import { useMe } from '#web/client/me.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ActionMenu, type Action } from '#web/ui/action-menu.tsx'
import { usePersonName } from './person-name.ts'
import type { UserAction } from './user-action.tsx'

/** The actions of a superuser on an account, where there are any. */
export function UserMenu({ user, onAction }: { user: User; onAction: (action: UserAction) => void }) {
  const { t } = useTranslation('users')
  const nameOf = usePersonName()
  const actions = useUserActions(user, onAction)
  if (actions.length === 0) return null
  return <ActionMenu label={t('actions_of', { name: nameOf(user) })} actions={actions} />
}

/** What a superuser can do with an account as it is now. Nobody closes or ends their own. */
export function useUserActions(user: User, onAction: (action: UserAction) => void): Action[] {
  const { t } = useTranslation('users')
  const me = useMe()
  const isOwn = user.user_id === me.user_id
  const isOpen = user.is_active === 1
  const isDeleted = employmentOf(user.employment_status) === 'deleted'
  const action = (
    kind: Exclude<UserAction['kind'], 'create'>,
    more: Partial<Action> & Pick<Action, 'icon'>,
  ) => ({
    key: kind,
    label: t(`action.${kind}`),
    onClick: () => onAction({ kind, user }),
    ...more,
  })
  const transfer = action('transfer', { icon: IconArrowsExchange })
  if (isDeleted) return (user.reports ?? 0) > 0 ? [transfer] : []
  return [
    action('edit', { icon: IconPencil }),
    action('link', { icon: IconKey, disabled: !isOpen }),
    transfer,
    ...(user.has_second_factor === true && !isOwn ? [action('reset', { icon: IconDeviceMobileOff })] : []),
    ...employmentSteps(user.employment_status).map(step => {
      const { kind, ...more } = steps[step]
      return action(kind, { ...more, disabled: isOwn })
    }),
    ...(hasLeft(user.employment_status)
      ? []
      : [
          isOpen
            ? action('close', { icon: IconLock, tone: 'danger', disabled: isOwn })
            : action('open', { icon: IconLockOpen }),
        ]),
  ]
}

const steps = {
  employed: { kind: 'back', icon: IconUserCheck },
  on_leave: { kind: 'leave', icon: IconPlayerPause },
  resigned: { kind: 'resign', icon: IconDoorExit, tone: 'danger' },
  deleted: { kind: 'delete', icon: IconTrash, tone: 'danger' },
} as const satisfies Record<EmploymentStatus, Partial<Action> & { kind: UserAction['kind'] }>
