import { useMemo, useSyncExternalStore } from 'react'
import type { Channel, ChannelCatalogue } from '#shared/channels/catalogue.ts'
import { useMe } from '#web/client/me.ts'

/**
 * The favourite metrics of a channel, stored in this browser for each user; in the order of the catalogue.
 */
export function useFavouriteMetrics(channel: Channel, catalogue: ChannelCatalogue) {
  const { user_id } = useMe()
  const key = `sheetcast.favourites.${user_id}.${channel}`
  const marked = useSyncExternalStore(
    subscribe,
    () => localStorage.getItem(key) ?? '',
    () => '',
  )
  return useMemo(() => {
    const ids = marked.split(' ')
    const list = Object.keys(catalogue.metrics).filter(id => ids.includes(id))
    return {
      list,
      has: (id: string) => list.includes(id),
      toggle(id: string) {
        // What this block does not have stays one of others.
        const next = ids.includes(id) ? ids.filter(other => other !== id) : [...ids, id]
        localStorage.setItem(key, next.join(' '))
        for (const listener of listeners) listener()
      },
    }
  }, [key, catalogue, marked])
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
