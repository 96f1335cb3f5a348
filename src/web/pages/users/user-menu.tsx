import {
  IconArrowsExchange,
  IconDeviceMobileOff,
  IconKey,
  IconLock,
  IconLockOpen,
  IconPencil,
} from '@tabler/icons-react'
import type { User } from '#shared/api/people.ts'
import { nameOf } from '#shared/person-name.ts'
import { useMe } from '#web/client/me.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ActionMenu } from '#web/ui/action-menu.tsx'
import type { UserAction } from './user-action.tsx'

/** The actions of a superuser on an account; nobody closes their own. */
export function UserMenu({ user, onAction }: { user: User; onAction: (action: UserAction) => void }) {
  const { t } = useTranslation('users')
  const me = useMe()
  const action = (kind: Exclude<UserAction['kind'], 'create'>) => () => onAction({ kind, user })
  const isOpen = user.is_active === 1
  return (
    <ActionMenu
      label={t('actions_of', { name: nameOf(user) })}
      actions={[
        { key: 'edit', label: t('action.edit'), icon: IconPencil, onClick: action('edit') },
        { key: 'link', label: t('action.link'), icon: IconKey, disabled: !isOpen, onClick: action('link') },
        {
          key: 'transfer',
          label: t('action.transfer'),
          icon: IconArrowsExchange,
          onClick: action('transfer'),
        },
        ...(user.has_second_factor === true && user.user_id !== me.user_id
          ? [{ key: 'reset', label: t('action.reset'), icon: IconDeviceMobileOff, onClick: action('reset') }]
          : []),
        isOpen
          ? {
              key: 'close',
              label: t('action.close'),
              icon: IconLock,
              tone: 'danger',
              disabled: user.user_id === me.user_id,
              onClick: action('close'),
            }
          : { key: 'open', label: t('action.open'), icon: IconLockOpen, onClick: action('open') },
      ]}
    />
  )
}
