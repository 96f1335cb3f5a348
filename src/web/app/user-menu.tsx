import { IconDevices, IconLogout, IconUser } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { nameOf } from '#shared/person-name.ts'
import { useMe } from '#web/client/me.ts'
import { useSignOut } from '#web/client/sign-out.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Initials } from '#web/ui/initials.tsx'
import { MenuButton, MenuEntry } from '#web/ui/menu-button.tsx'
import { lazy } from '#web/visit/lazy.ts'
import styles from './header.module.css'

const ConfirmDialog = lazy(async () => ({
  default: (await import('#web/ui/confirm-dialog.tsx')).ConfirmDialog,
}))

export function UserMenu() {
  const { t } = useTranslation('app')
  const me = useMe()
  const navigate = useNavigate()
  const [confirming, setConfirming] = useState(false)
  const signOut = useSignOut()
  const name = nameOf(me)
  return (
    <>
      <MenuButton
        label={t('header.account', { name })}
        className={styles.person}
        face={
          <>
            <Initials name={name} />
            <span className={styles.name}>{name}</span>
          </>
        }
      >
        <span className={styles.who}>
          {name}
          <small>
            {me.username} · {t(`identity.${me.identity}`)}
          </small>
        </span>
        <MenuEntry
          icon={<IconUser size={16} stroke={1.6} />}
          onClick={() => void navigate({ to: '/profile' })}
        >
          {t('header.profile')}
        </MenuEntry>
        <MenuEntry
          icon={<IconLogout size={16} stroke={1.6} />}
          onClick={() => signOut.mutate({ everywhere: false })}
        >
          {t('header.sign_out')}
        </MenuEntry>
        <MenuEntry icon={<IconDevices size={16} stroke={1.6} />} onClick={() => setConfirming(true)}>
          {t('header.sign_out_everywhere')}
        </MenuEntry>
      </MenuButton>
      {confirming && (
        <Suspense>
          <ConfirmDialog
            opened
            title={t('header.sign_out_everywhere_question')}
            detail={t('header.sign_out_everywhere_detail')}
            confirm={t('header.sign_out_everywhere')}
            loading={signOut.isPending}
            onConfirm={() => signOut.mutate({ everywhere: true })}
            onClose={() => setConfirming(false)}
          />
        </Suspense>
      )}
    </>
  )
}
