import { useMemo } from 'react'
import { catalogueOf } from '#shared/channels/all.ts'
import type { Channel } from '#shared/channels/catalogue.ts'
import { useMe } from '#web/client/me.ts'
import { createStore, useStore } from '#web/client/store.ts'

/** Counts up whenever a favourite changes: the lists themselves are in the browser's storage, where other windows change them, too. */
const changes = createStore<number>(0)
addEventListener('storage', () => changes.set(count => count + 1))

/** The metrics of a channel that somebody has marked, kept in this browser for each user; in the order of the catalogue. */
export function useFavouriteMetrics(channel: Channel) {
  const { user_id } = useMe()
  const count = useStore(changes)
  return useMemo(() => {
    const key = `sheetcast.favourites.${user_id}.${channel}`
    const list = kept(key, Object.keys(catalogueOf(channel).metrics))
    return {
      list,
      has: (id: string) => list.includes(id),
      toggle(id: string) {
        const next = list.includes(id) ? list.filter(other => other !== id) : [...list, id]
        localStorage.setItem(key, next.join(' '))
        changes.set(before => before + 1)
      },
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- read anew whenever one has changed
  }, [user_id, channel, count])
}

function kept(key: string, offered: readonly string[]): string[] {
  const marked = (localStorage.getItem(key) ?? '').split(' ')
  return offered.filter(id => marked.includes(id))
}
