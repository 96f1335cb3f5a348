import { IconSearch } from '@tabler/icons-react'
import { useRouter } from '@tanstack/react-router'
import { Suspense, useEffect, useEffectEvent, useState } from 'react'
import { palette } from '#web/app/layout.ts'
import { useMe } from '#web/client/me.ts'
import { useStore } from '#web/client/store.ts'
import { loadInnerTexts } from '#web/i18n/i18n.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { lazy } from '#web/visit/lazy.ts'
import styles from './palette-button.module.css'
import { noteReport } from './recent.ts'

const Palette = lazy(async () => {
  const [{ Palette: drawn }] = await Promise.all([import('./palette.tsx'), loadInnerTexts()])
  return { default: drawn }
})

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** Opens the search palette, as Ctrl K and ⌘ K do anywhere. */
export function PaletteButton() {
  const { t } = useTranslation('app')
  const opened = useStore(palette)
  const [wasOpened, setWasOpened] = useState(false)
  if (opened && !wasOpened) setWasOpened(true)
  useShortcut(() => palette.set(!opened))
  useRecent()
  return (
    <>
      <button
        type="button"
        className={styles.button}
        aria-label={t('header.search')}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        title={t('header.search')}
        onClick={() => palette.set(true)}
      >
        <IconSearch size={16} stroke={1.7} aria-hidden />
        <span className={styles.words}>{t('header.search')}</span>
        <kbd className={styles.keys}>{t(isMac ? 'header.search_keys_mac' : 'header.search_keys')}</kbd>
      </button>
      {wasOpened && (
        <Suspense>
          <Palette opened={opened} onClose={() => palette.set(false)} />
        </Suspense>
      )}
    </>
  )
}

function useShortcut(toggle: () => void) {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const isIt = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
    if (!isIt || event.key.toLowerCase() !== 'k') return
    // Some browsers would open a web search.
    event.preventDefault()
    toggle()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
}

/** Records which reports were opened, by whatever way. */
function useRecent() {
  const { user_id } = useMe()
  const router = useRouter()
  useEffect(
    () =>
      router.subscribe('onResolved', ({ toLocation: { pathname, search } }) => {
        const id = 'id' in search ? search.id : undefined
        if (pathname === '/gs-template/template' && typeof id === 'number') noteReport(user_id, id)
      }),
    [router, user_id],
  )
}
