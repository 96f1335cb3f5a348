import type { RichText } from '#web/i18n/rich-text.ts'
import { createStore } from './store.ts'

export type Severity = 'info' | 'success' | 'warning' | 'warning_long' | 'error'

export interface Notice {
  id: number
  severity: Severity
  message: string
  sub_message?: RichText
  /** What can be done about it, such as taking it back; it closes the notice. */
  action?: { label: string; onClick: () => void }
  /** Milliseconds until it closes by itself; 0 never. */
  duration: number
}

export const DEFAULT_DURATION_MS = 5000

/** The notices on the screen, oldest first. */
export const notices = createStore<readonly Notice[]>([])

let last = 0

/** Shows a notice and answers its id. An error never closes by itself, whatever its duration says. */
export function notify(notice: Omit<Notice, 'id' | 'duration'> & { duration?: number }): number {
  last += 1
  const duration = notice.severity === 'error' ? 0 : (notice.duration ?? DEFAULT_DURATION_MS)
  notices.set(shown => [...shown, { ...notice, id: last, duration }])
  return last
}

export const dismiss = (id: number) => notices.set(shown => shown.filter(notice => notice.id !== id))

/** On every change of route. */
export const dismissAll = () => notices.set([])
