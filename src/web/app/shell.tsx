import { Outlet, useRouter } from '@tanstack/react-router'
import { Suspense, useEffect, useState } from 'react'
import { Me, useKnownMe } from '#web/client/me.ts'
import { useStore } from '#web/client/store.ts'
import { tray } from '#web/client/tray.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { NotFound } from '#web/pages/not-found.tsx'
import { lazy } from '#web/visit/lazy.ts'
import { Header } from './header.tsx'
import { IssueArea } from './issue-area.tsx'
import { drawer, sidebar } from './layout.ts'
import { useMayOpen } from './may-open.ts'
import styles from './shell.module.css'
import { Sidebar } from './sidebar.tsx'

const NavigationDrawer = lazy(async () => ({
  default: (await import('./navigation-drawer.tsx')).NavigationDrawer,
}))

/** Sidebar, header, and the page between them. */
export function Shell() {
  const me = useKnownMe()
  const { t } = useTranslation('app')
  const state = useStore(sidebar)
  const inCorner = useStore(tray)
  const hasDrawer = useDrawerOpenedOnce()
  const router = useRouter()
  useEffect(() => router.subscribe('onBeforeNavigate', () => drawer.set(false)), [router])
  return (
    <Me value={me}>
      <div className={styles.shell} data-sidebar={state}>
        <a className={styles.skip} href="#content">
          {t('skip_to_content')}
        </a>
        <Sidebar />
        {hasDrawer && (
          <Suspense>
            <NavigationDrawer />
          </Suspense>
        )}
        <div className={styles.column}>
          <Header />
          <main id="content" className={styles.content} tabIndex={-1} data-scroll-restoration-id="content">
            <Page />
          </main>
        </div>
        <IssueArea />
        {inCorner && <inCorner.Content />}
      </div>
    </Me>
  )
}

/** The page, unless it is not for this person: then there is none. */
const Page = () => (useMayOpen() ? <Outlet /> : <NotFound />)

/**
 * Whether the drawer has been opened: from then on it stays mounted, so that it can slide out as well as in.
 */
function useDrawerOpenedOnce() {
  const opened = useStore(drawer)
  const [wasOpened, setWasOpened] = useState(opened)
  if (opened && !wasOpened) setWasOpened(true)
  return wasOpened
}
