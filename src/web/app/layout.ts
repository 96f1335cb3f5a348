import { createStore } from '#web/client/store.ts'

const SIDEBAR_KEY = 'sheetcast.sidebar'

/**
 * Whether the side navigation shows its words (`open`) or only its icons (`rail`); on phones it is a drawer.
 */
export const sidebar = createStore<'open' | 'rail'>(() =>
  localStorage.getItem(SIDEBAR_KEY) === 'rail' ? 'rail' : 'open',
)

const CLOSED_GROUPS_KEY = 'sheetcast.closed_groups'

/** The groups of the side navigation that were folded away, by key. */
export const closedGroups = createStore<readonly string[]>(() =>
  (localStorage.getItem(CLOSED_GROUPS_KEY) ?? '').split(',').filter(Boolean),
)
export const drawer = createStore<boolean>(false)
/** Whether the search over everything is open. */
export const palette = createStore<boolean>(false)

export function toggleSidebar() {
  sidebar.set(state => (state === 'open' ? 'rail' : 'open'))
  localStorage.setItem(SIDEBAR_KEY, sidebar.get())
}

/** Folds a group away or brings it back. */
export function showGroup(key: string, open: boolean) {
  closedGroups.set(closed => [...closed.filter(other => other !== key), ...(open ? [] : [key])])
  localStorage.setItem(CLOSED_GROUPS_KEY, closedGroups.get().join())
}
