import {
  IconCloudDownload,
  IconInfoCircle,
  IconKey,
  IconPencil,
  IconPlugConnected,
  IconTrash,
} from '@tabler/icons-react'
import type { PublicAccount } from '#shared/api/public-accounts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ActionMenu } from '#web/ui/action-menu.tsx'
import type { AccountAction } from './account-action.tsx'
import { useRequestState, type PlatformRequest } from './data.ts'

interface AccountMenuProps {
  account: PublicAccount
  onAsk: (request: PlatformRequest) => void
  onAction: (action: AccountAction) => void
}

/** The actions on a login. */
export function AccountMenu({ account, onAsk, onAction }: AccountMenuProps) {
  const { t } = useTranslation('public_accounts')
  const { t: more } = useTranslation('connections')
  const isBusy = useRequestState(account.id).pending !== null
  const action = (kind: AccountAction['kind']) => () => onAction({ kind, account })
  return (
    <ActionMenu
      label={t('actions_of', { name: account.name })}
      actions={[
        {
          key: 'details',
          label: more('drawer.open'),
          icon: IconInfoCircle,
          onClick: action('details'),
        },
        {
          key: 'test',
          label: t('action.test'),
          icon: IconPlugConnected,
          disabled: isBusy,
          onClick: () => onAsk({ kind: 'test', account }),
        },
        {
          key: 'import',
          label: t('action.import'),
          icon: IconCloudDownload,
          disabled: isBusy,
          onClick: () => onAsk({ kind: 'import', account }),
        },
        ...(account.kind === 'keys'
          ? [
              {
                key: 'replace',
                label: t('action.replace'),
                icon: IconKey,
                onClick: action('replace'),
              },
            ]
          : []),
        { key: 'rename', label: t('action.rename'), icon: IconPencil, onClick: action('rename') },
        {
          key: 'delete',
          label: t('action.delete'),
          icon: IconTrash,
          tone: 'danger',
          onClick: action('delete'),
        },
      ]}
    />
  )
}
