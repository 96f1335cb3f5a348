import { createStore } from '#web/client/store.ts'

const KEPT_AS = 'sheetcast.sidebar'

/**
 * Whether the side navigation shows its words (`open`) or only its icons (`rail`); on phones it is a drawer.
 */
export const sidebar = createStore<'open' | 'rail'>(
  localStorage.getItem(KEPT_AS) === 'rail' ? 'rail' : 'open',
)

const CLOSED_AS = 'sheetcast.closed_groups'

/** The groups of the side navigation that were folded away, by key. */
export const closedGroups = createStore<readonly string[]>(
  (localStorage.getItem(CLOSED_AS) ?? '').split(',').filter(Boolean),
)
export const drawer = createStore<boolean>(false)

export function toggleSidebar() {
  sidebar.set(state => (state === 'open' ? 'rail' : 'open'))
  localStorage.setItem(KEPT_AS, sidebar.get())
}

/** Folds a group away or brings it back. */
export function showGroup(key: string, shown: boolean) {
  closedGroups.set(closed => [...closed.filter(other => other !== key), ...(shown ? [] : [key])])
  localStorage.setItem(CLOSED_AS, closedGroups.get().join())
}
