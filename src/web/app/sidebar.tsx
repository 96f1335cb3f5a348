import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useStore } from '#web/client/store.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Logo } from '#web/ui/logo.tsx'
import { sidebar, toggleSidebar } from './layout.ts'
import { Navigation } from './navigation.tsx'
import styles from './sidebar.module.css'

/** The side navigation on wide screens: words and icons, or icons alone. */
export function Sidebar() {
  const { t } = useTranslation('app')
  const rail = useStore(sidebar) === 'rail'
  const Toggle = rail ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse
  return (
    <aside className={styles.sidebar} data-rail={rail || undefined}>
      <Link to="/" className={styles.brand} aria-label={t('product')}>
        <Logo />
        {!rail && <span>{t('product')}</span>}
      </Link>
      <Navigation rail={rail} />
      <button
        type="button"
        className={styles.toggle}
        onClick={toggleSidebar}
        aria-expanded={!rail}
        aria-label={t(rail ? 'nav.expand' : 'nav.collapse')}
      >
        <Toggle size={18} stroke={1.6} aria-hidden />
        {!rail && <span>{t('nav.collapse')}</span>}
      </button>
    </aside>
  )
}
