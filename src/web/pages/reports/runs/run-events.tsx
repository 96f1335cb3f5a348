import { useRunEvents } from './use-run-events.ts'

/** `useRunEvents` for a page that draws itself first and loads it later. */
export function RunEvents() {
  useRunEvents()
  return null
}
