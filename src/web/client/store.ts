import { useSyncExternalStore } from 'react'
import { perVisit } from '#web/visit/per-visit.ts'

export interface Store<State> {
  get: () => State
  set: (next: State | ((state: State) => State)) => void
  subscribe: (listener: () => void) => () => void
}

/**
 * A value that components can watch; for the few things that are the page's and no server's. A function as
 * `initial` reads it from the browser.
 */
export function createStore<State extends object | string | number | boolean | null>(
  initial: State | (() => State),
): Store<State> {
  const visit = perVisit(() => ({
    state: typeof initial === 'function' ? (initial as () => State)() : initial,
    listeners: new Set<() => void>(),
  }))
  return {
    get: () => visit().state,
    set(next) {
      const own = visit()
      const value = typeof next === 'function' ? next(own.state) : next
      if (Object.is(value, own.state)) return
      own.state = value
      for (const listener of own.listeners) listener()
    },
    subscribe(listener) {
      const { listeners } = visit()
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export const useStore = <State>(store: Store<State>): State =>
  useSyncExternalStore(store.subscribe, store.get, store.get)
