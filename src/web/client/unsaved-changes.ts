import { createStore } from './store.ts'

/** What is done once the person has confirmed that something may be lost; null: nobody has asked. */
type Departure = { proceed: () => void } | null

/** Whether the page has changes that are lost when it is left. */
export const hasUnsavedChanges = createStore<boolean>(false)
export const departure = createStore<Departure>(null)

/** Whether uploads are under way, which outlive the page and not the session. */
export const hasUploads = createStore<boolean>(false)
export const uploadsDeparture = createStore<Departure>(null)

/** Signs out at once, or after the person has confirmed what is lost by it, there where it is. */
export function leaveThen(proceed: () => void) {
  const stopUploads = () => (hasUploads.get() ? uploadsDeparture.set({ proceed }) : proceed())
  if (hasUnsavedChanges.get()) departure.set({ proceed: stopUploads })
  else stopUploads()
}
