import { VisuallyHidden } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { IconBell } from '@tabler/icons-react'
import { Suspense, useEffect, useId, useRef, useState } from 'react'
import { listenLive } from '#web/client/live.ts'
import { loadInnerTexts } from '#web/i18n/i18n.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import button from '#web/ui/menu-button.module.css'
import { lazy } from '#web/visit/lazy.ts'
import styles from './bell.module.css'
import { useUnread } from './data.ts'

const BellList = lazy(async () => {
  const [{ BellList: drawn }] = await Promise.all([import('./bell-list.tsx'), loadInnerTexts()])
  return { default: drawn }
})

/** Says how many notices are unread, and shows them. */
export function Bell() {
  const { t } = useTranslation('app')
  const id = useId()
  const panel = useRef<HTMLDivElement>(null)
  const [opened, setOpened] = useState(false)
  const unread = useUnread()
  const label = unread > 0 ? t('bell.unread', { count: unread }) : t('bell.label')
  useArrivals()
  return (
    <>
      <button
        type="button"
        className={`${button.button} ${styles.bell}`}
        aria-label={label}
        aria-haspopup="dialog"
        title={label}
        popoverTarget={id}
      >
        <IconBell size={18} stroke={1.6} aria-hidden />
        {unread > 0 && (
          <span className={styles.count} aria-hidden>
            {unread > 99 ? '99+' : unread}
          </span>
        )}
      </button>
      <VisuallyHidden role="status">{unread > 0 ? t('bell.unread', { count: unread }) : ''}</VisuallyHidden>
      <div
        ref={panel}
        id={id}
        role="dialog"
        tabIndex={-1}
        aria-label={t('bell.label')}
        popover="auto"
        className={styles.panel}
        onToggle={event => {
          setOpened(event.newState === 'open')
          if (event.newState === 'open') event.currentTarget.focus()
        }}
      >
        {opened && (
          <Suspense fallback={<div className={styles.loading} />}>
            <BellList unread={unread} onClose={() => panel.current?.hidePopover()} />
          </Suspense>
        )}
      </div>
    </>
  )
}

/** Notices come in bursts when many reports are due at once. */
const GATHER_MS = 1000

/** Keeps the unread count and the list up to date, and shows new failures as toasts. */
function useArrivals() {
  const queries = useQueryClient()
  useEffect(() => {
    let arrived: number[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    const refresh = () => void queries.invalidateQueries({ queryKey: ['notifications'] })
    const leave = listenLive({
      onOpen: refresh,
      onEvent({ event, data }) {
        if (event !== 'notification') return
        const { notification }: { notification: number | null } = JSON.parse(data)
        if (notification !== null) arrived.push(notification)
        timer ??= setTimeout(() => {
          const ids = arrived
          arrived = []
          timer = undefined
          refresh()
          if (ids.length > 0)
            void import('./notice-toasts.ts').then(({ showNoticeToasts }) => showNoticeToasts(queries, ids))
        }, GATHER_MS)
      },
    })
    return () => {
      leave()
      clearTimeout(timer)
    }
  }, [queries])
}
