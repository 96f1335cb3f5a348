import type { ComponentType } from 'react'
import { createStore } from './store.ts'

interface Tray {
  Content: ComponentType
  /** Stops what is under way and removes it: the person has signed out, or their session is over. */
  forget: () => void
}

/**
 * What stays in the corner of every page, such as the uploads of one that has been left; null: nothing. Put
 * there by the page that begins it, so that no other page loads it.
 */
export const tray = createStore<Tray | null>(null)

export const showTray = (next: Tray) => tray.set(before => (before?.Content === next.Content ? before : next))

export function forgetTray() {
  tray.get()?.forget()
  tray.set(null)
}
