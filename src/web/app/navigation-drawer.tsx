import { Drawer } from '@mantine/core'
import '@mantine/core/styles/Overlay.layer.css'
import '@mantine/core/styles/ModalBase.layer.css'
import '@mantine/core/styles/Drawer.layer.css'
import { useStore } from '#web/client/store.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useEscape } from '#web/ui/escape.ts'
import { useReturnFocus } from '#web/ui/return-focus.ts'
import { Logo } from '#web/ui/logo.tsx'
import { drawer } from './layout.ts'
import { Navigation } from './navigation.tsx'
import styles from './sidebar.module.css'

/** The side navigation on phones; the header's button opens it. */
export function NavigationDrawer() {
  const { t } = useTranslation('app')
  const opened = useStore(drawer)
  useReturnFocus(opened)
  useEscape(opened, () => drawer.set(false))
  return (
    <Drawer
      opened={opened}
      onClose={() => drawer.set(false)}
      size={272}
      returnFocus={false}
      title={
        <span className={styles.brand}>
          <Logo /> {t('product')}
        </span>
      }
      closeButtonProps={{ 'aria-label': t('nav.close') }}
    >
      <Navigation rail={false} />
    </Drawer>
  )
}
