import { useRunEvents } from './use-run-events.ts'

/** `useRunEvents` as a component that a page loads after it has drawn itself. */
export function RunEvents() {
  useRunEvents()
  return null
}
