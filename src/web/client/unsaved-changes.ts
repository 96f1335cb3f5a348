import { createStore } from './store.ts'

/** Whether the page has changes that are lost when it is left. */
export const hasUnsavedChanges = createStore<boolean>(false)

/** What is done once the person has confirmed that the changes may be lost; null: nobody has asked. */
export const departure = createStore<{ proceed: () => void } | null>(null)

/** Does it at once, or, with unsaved changes on the page, after the person has confirmed it there. */
export function leaveThen(proceed: () => void) {
  if (hasUnsavedChanges.get()) departure.set({ proceed })
  else proceed()
}
