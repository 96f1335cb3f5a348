import { createStore } from './store.ts'

const STORAGE_KEY = 'sheetcast.single_keys'

/**
 * Whether single letters are shortcuts in this browser. They can be switched off: who speaks to the computer
 * would set them off by words (WCAG 2.1.4).
 */
export const singleKeys = createStore<boolean>(() => localStorage.getItem(STORAGE_KEY) !== 'off')

export function switchSingleKeys(on: boolean) {
  localStorage.setItem(STORAGE_KEY, on ? 'on' : 'off')
  singleKeys.set(on)
}
