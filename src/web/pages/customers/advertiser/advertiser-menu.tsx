import { IconPlayerPause, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { mayReach } from '#shared/access.ts'
import type { Advertiser } from '#shared/api/advertisers.ts'
import { useMe } from '#web/client/me.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ADVERTISERS } from '#web/pages/customers/data.ts'
import { DeleteDialog } from '#web/pages/rows/delete-dialog.tsx'
import { ActionMenu } from '#web/ui/action-menu.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { ProblemText } from '#web/ui/problem-text.tsx'
import { useUpdateAdvertiser } from './data.ts'

/** What can be done with the customer as a whole. */
export function AdvertiserMenu({ advertiser }: { advertiser: Advertiser }) {
  const { t } = useTranslation('advertisers')
  const { t: tCustomers } = useTranslation('customers')
  const me = useMe()
  const navigate = useNavigate()
  const update = useUpdateAdvertiser(advertiser.id)
  const [open, setOpen] = useState<'deactivate' | 'delete' | null>(null)
  const { name, version, is_active } = advertiser
  const close = () => setOpen(null)
  const switchTo = (active: boolean) =>
    update.mutate(
      { version, is_active: active },
      {
        onSuccess() {
          showToast({ severity: 'success', message: t(active ? 'activated' : 'deactivated', { name }) })
          close()
        },
      },
    )
  return (
    <>
      <ActionMenu
        label={tCustomers('action.actions_of', { name })}
        actions={[
          is_active
            ? {
                key: 'deactivate',
                label: tCustomers('action.deactivate'),
                icon: IconPlayerPause,
                onClick: () => setOpen('deactivate'),
              }
            : {
                key: 'activate',
                label: tCustomers('action.activate'),
                icon: IconPlayerPlay,
                onClick: () => switchTo(true),
              },
          ...(mayReach(me, 'manager_or_finance')
            ? [
                {
                  key: 'delete',
                  label: tCustomers('action.delete'),
                  icon: IconTrash,
                  tone: 'danger' as const,
                  onClick: () => setOpen('delete'),
                },
              ]
            : []),
        ]}
      />
      {open === 'deactivate' && (
        <ConfirmDialog
          opened
          title={t('deactivate_title', { name })}
          detail={t('deactivate_detail')}
          confirm={tCustomers('action.deactivate')}
          loading={update.isPending}
          problem={update.error && <ProblemText code={update.error.code} audience="internal" />}
          onConfirm={() => switchTo(false)}
          onClose={close}
        />
      )}
      {open === 'delete' && (
        <DeleteDialog
          path={ADVERTISERS}
          row={advertiser}
          onDeleted={() => void navigate({ to: '/customer/advertiser', search: { search: '', page: 1 } })}
          onClose={close}
          {...(is_active && {
            instead: {
              label: tCustomers('action.deactivate'),
              loading: update.isPending,
              onChoose: () => switchTo(false),
            },
          })}
        />
      )}
    </>
  )
}
