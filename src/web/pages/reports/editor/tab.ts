const STORAGE_KEY = 'sheetcast.tab'
const LOCK = 'sheetcast-tab-'

/** This tab: the same after a reload and after signing in again, and nobody else's. */
export function tabId(): string {
  const id = sessionStorage.getItem(STORAGE_KEY) ?? crypto.getRandomValues(new Uint32Array(2)).join('-')
  sessionStorage.setItem(STORAGE_KEY, id)
  if (held !== id && 'locks' in navigator) {
    held = id
    // Until the page is gone.
    void navigator.locks.request(LOCK + id, () => new Promise(() => {}))
  }
  return id
}
let held: string | null = null

/** Those that are open now; a browser that cannot tell has none. */
export async function openTabs(): Promise<ReadonlySet<string>> {
  if (!('locks' in navigator)) return new Set()
  const locks = (await navigator.locks.query()).held ?? []
  return new Set(locks.flatMap(({ name = '' }) => (name.startsWith(LOCK) ? name.slice(LOCK.length) : [])))
}
