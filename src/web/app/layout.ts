import { createStore } from './store.ts'

const KEPT_AS = 'sheetcast.sidebar'

/** Whether the side navigation shows its words (`open`) or only its icons (`rail`); on phones it is a drawer. */
export const sidebar = createStore<'open' | 'rail'>(
  localStorage.getItem(KEPT_AS) === 'rail' ? 'rail' : 'open',
)
export const drawer = createStore<boolean>(false)

export function toggleSidebar() {
  sidebar.set(state => (state === 'open' ? 'rail' : 'open'))
  localStorage.setItem(KEPT_AS, sidebar.get())
}
