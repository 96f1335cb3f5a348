import { ActionIcon } from '@mantine/core'
import { IconBell, IconHelpCircle, IconMenu2, type Icon } from '@tabler/icons-react'
import { colorScheme } from '#web/client/color-scheme.ts'
import { useUpdatePreferences } from '#web/client/me.ts'
import { Optional } from '#web/client/optional.tsx'
import { useIsPageIdle } from '#web/client/page-idle.ts'
import { useStore } from '#web/client/store.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import button from '#web/ui/menu-button.module.css'
import { LanguageSwitch, ThemeSwitch } from '#web/ui/switches.tsx'
import { lazy } from '#web/visit/lazy.ts'
import { Breadcrumb } from './breadcrumb.tsx'
import styles from './header.module.css'
import { drawer } from './layout.ts'
import { PaletteButton } from './palette/palette-button.tsx'
import { UserMenu } from './user-menu.tsx'

const Bell = lazy(async () => ({ default: (await import('./bell/bell.tsx')).Bell }))
const HelpMenu = lazy(async () => ({ default: (await import('./help/help-menu.tsx')).HelpMenu }))

/** The breadcrumb, and what belongs to the person rather than to the page. */
export function Header() {
  const { t } = useTranslation('app')
  const update = useUpdatePreferences()
  const isQuiet = useIsPageIdle()
  const scheme = useStore(colorScheme)
  return (
    <header className={styles.header}>
      <ActionIcon
        className={styles.burger}
        size="lg"
        onClick={() => drawer.set(true)}
        aria-label={t('nav.open')}
      >
        <IconMenu2 size={20} stroke={1.6} />
      </ActionIcon>
      <Breadcrumb />
      <div className={styles.tools}>
        <PaletteButton />
        <Optional placeholder={<ToCome icon={IconHelpCircle} />}>
          {isQuiet ? <HelpMenu /> : <ToCome icon={IconHelpCircle} />}
        </Optional>
        <Optional placeholder={<ToCome icon={IconBell} />}>
          {isQuiet ? <Bell /> : <ToCome icon={IconBell} />}
        </Optional>
        <LanguageSwitch onChoose={language => update.mutate({ language })} />
        <ThemeSwitch current={scheme} onChoose={theme => update.mutate({ theme })} />
        <UserMenu />
      </div>
    </header>
  )
}

/** As the button looks, so that nothing appears when its code has been loaded. */
const ToCome = ({ icon: Glyph }: { icon: Icon }) => (
  <span className={button.button} aria-hidden>
    <Glyph size={18} stroke={1.6} />
  </span>
)
