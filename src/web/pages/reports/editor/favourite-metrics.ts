import { useMemo, useSyncExternalStore } from 'react'
import { catalogueOf } from '#shared/channels/all.ts'
import type { Channel } from '#shared/channels/catalogue.ts'
import { useMe } from '#web/client/me.ts'

/**
 * The favourite metrics of a channel, stored in this browser for each user; in the order of the catalogue.
 */
export function useFavouriteMetrics(channel: Channel) {
  const { user_id } = useMe()
  const key = `sheetcast.favourites.${user_id}.${channel}`
  const marked = useSyncExternalStore(subscribe, () => localStorage.getItem(key) ?? '')
  return useMemo(() => {
    const ids = marked.split(' ')
    const list = Object.keys(catalogueOf(channel).metrics).filter(id => ids.includes(id))
    return {
      list,
      has: (id: string) => list.includes(id),
      toggle(id: string) {
        const next = list.includes(id) ? list.filter(other => other !== id) : [...list, id]
        localStorage.setItem(key, next.join(' '))
        for (const listener of listeners) listener()
      },
    }
  }, [key, channel, marked])
}

/** Those of this window; changes in other windows arrive by the browser's storage event. */
const listeners = new Set<() => void>()

function subscribe(listener: () => void) {
  listeners.add(listener)
  addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', listener)
  }
}
