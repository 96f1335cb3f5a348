import type { RichText } from '#web/i18n/rich-text.ts'
import { createStore } from './store.ts'

export type Severity = 'info' | 'success' | 'warning' | 'warning_long' | 'error'

export interface Toast {
  id: number
  severity: Severity
  message: string
  sub_message?: RichText
  /** An action, such as undoing the change; it closes the toast. */
  action?: { label: string; onClick: () => void }
  /** Milliseconds until it closes by itself; 0 never. */
  duration: number
}

export const DEFAULT_DURATION_MS = 5000

/** The toasts on the screen, oldest first. */
export const toasts = createStore<readonly Toast[]>([])

let last = 0

/** Shows a toast and returns its id. An error never closes by itself, whatever its duration. */
export function showToast(toast: Omit<Toast, 'id' | 'duration'> & { duration?: number }): number {
  last += 1
  const duration = toast.severity === 'error' ? 0 : (toast.duration ?? DEFAULT_DURATION_MS)
  toasts.set(visible => [...visible, { ...toast, id: last, duration }])
  return last
}

export const dismissToast = (id: number) => toasts.set(visible => visible.filter(toast => toast.id !== id))

/** On every change of route. */
export const dismissToasts = () => toasts.set([])
