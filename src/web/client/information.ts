import type { Severity } from './toasts.ts'
import { createStore } from './store.ts'

interface Information {
  severity: Exclude<Severity, 'warning_long'>
  message: string
}

/** The outcome of a change that has no dialog of its own, such as dragging; null: nothing to show. */
export const information = createStore<Information | null>(null)

/** Opens the dialog that says it. */
export const inform = (content: Information) => information.set(content)
