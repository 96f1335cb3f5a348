import { useSyncExternalStore } from 'react'

export interface Store<State> {
  get: () => State
  set: (next: State | ((state: State) => State)) => void
  subscribe: (listener: () => void) => () => void
}

/** A value that components can watch; for the few things that are the page's and no server's. */
export function createStore<State extends object | string | number | boolean | null>(
  initial: State,
): Store<State> {
  let state = initial
  const listeners = new Set<() => void>()
  return {
    get: () => state,
    set(next) {
      const value = typeof next === 'function' ? next(state) : next
      if (Object.is(value, state)) return
      state = value
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export const useStore = <State>(store: Store<State>): State =>
  useSyncExternalStore(store.subscribe, store.get)
