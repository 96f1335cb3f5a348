import { useSyncExternalStore } from 'react'
import { useLanguage } from '#web/i18n/use-translation.ts'
import { drawnNow } from '#web/visit/clock.ts'
import { instantText, relativeText } from './times.ts'

/** "3 minutes ago", kept up to date; the exact time is in the tooltip. */
export function RelativeTime({ at }: { at: string }) {
  const language = useLanguage()
  const minute = useSyncExternalStore(everyMinute, currentMinute, drawnMinute)
  return (
    <time dateTime={at} title={instantText(at, language)}>
      {relativeText(at, new Date(minute), language)}
    </time>
  )
}

const MINUTE_MS = 60_000

// One timer for all that are shown.
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

function everyMinute(listener: () => void) {
  listeners.add(listener)
  timer ??= setInterval(() => listeners.forEach(tell => tell()), MINUTE_MS / 4)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** Rounded up, so that what has just happened is never in the future. */
const currentMinute = () => minuteOf(Date.now())
const drawnMinute = () => minuteOf(drawnNow())

const minuteOf = (at_ms: number) => Math.ceil(at_ms / (MINUTE_MS / 4)) * (MINUTE_MS / 4)
