import type { Language } from '#shared/language.ts'
import { instantText, secondText } from '#web/ui/times.ts'

/**
 * The names of the points of a chart over runs, and their short forms on its axis: no two alike. Days where
 * each run is on one of its own, times where all are on the same, both otherwise.
 */
export function pointsOf(instants: readonly string[], language: Language) {
  const minutes = instants.map(instant => instantText(instant, language))
  const areDistinct = new Set(minutes).size === minutes.length
  const points = areDistinct ? minutes : instants.map(instant => secondText(instant, language))
  const days = new Set(points.map(dayOf))
  const tickOf = (point: string) =>
    days.size === points.length ? dayOf(point).slice(5) : days.size === 1 ? timeOf(point) : point.slice(5)
  return { points, tickOf }
}

// "2026-11-26 AM 03:20"
const DAY_LENGTH = 10
const dayOf = (point: string) => point.slice(0, DAY_LENGTH)
const timeOf = (point: string) => point.slice(DAY_LENGTH + 1)
