import { createStore } from './store.ts'

/** Height in pixels of the bar that stays at the bottom of the page: nothing may cover what it says. */
export const bottomBar = createStore<number>(0)

/** The ref of such a bar. */
export function watchBottomBar(bar: HTMLElement | null) {
  if (!bar) return undefined
  const observer = new ResizeObserver(() => bottomBar.set(bar.offsetHeight))
  observer.observe(bar)
  return () => {
    observer.disconnect()
    bottomBar.set(0)
  }
}
