import type { ComponentType } from 'react'
import { createStore } from './store.ts'

/**
 * What stays in the corner of every page, such as the uploads of one that has been left; null: nothing. Put
 * there by the page that begins it, so that no other page loads it.
 */
export const tray = createStore<{ Content: ComponentType } | null>(null)

export const showTray = (Content: ComponentType) =>
  tray.set(before => (before?.Content === Content ? before : { Content }))
