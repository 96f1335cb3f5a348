import { createStore } from './store.ts'

/** What a platform has sent the person back with. */
export interface CameBack {
  state: string
  code?: string
  error?: string
}

export const CALLBACK_PATH = '/oauth/callback'

/** In this page's memory alone: neither the address bar nor the history keeps a code. */
const cameBack = createStore<CameBack | null>(null)

/** Before anything else of the page, so that nothing else reads the address. */
export function takeFromAddress(): void {
  if (location.pathname !== CALLBACK_PATH || location.search === '') return
  const query = new URLSearchParams(location.search)
  history.replaceState(null, '', CALLBACK_PATH)
  const [state, code, error] = ['state', 'code', 'error'].map(name => query.get(name))
  if (state) cameBack.set({ state, ...(code && { code }), ...(error && { error }) })
}

/** Once: what comes back works once. */
export function takeCameBack(): CameBack | null {
  const taken = cameBack.get()
  cameBack.set(null)
  return taken
}
