import type { Tone } from './tones.ts'

/**
 * line, area: each series on its own; bars: side by side; stacked: on top of each other, so their sum must
 * make sense.
 */
export type ChartKind = 'line' | 'area' | 'bars' | 'stacked'

export interface Series {
  key: string
  name: string
  /** Its colour and pattern where they mean something; left out: those of its position. */
  tone?: Tone
  /** One for each point; null: nothing is known there. */
  values: readonly (number | null)[]
}

/** What a chart shows; all in one unit. */
export interface ChartData {
  kind: ChartKind
  /** The labels along the axis, for example days. */
  points: readonly string[]
  series: readonly Series[]
  /** Drawn as a dashed line over the others, to compare with. */
  reference?: Series
  /** The axis of lines need not begin at 0, where what matters is how little they change. */
  closeUp?: true
}

/** How its numbers and points are written. */
export interface ChartWords {
  /** What the chart is about, for example "Spend by channel". */
  label: string
  /** Drawn as a dashed line over the others, for comparison. */
  points_label: string
  format: (value: number) => string
  /** Shorter, for the axis. */
  formatTick?: (value: number) => string
  /** Shorter, for the axis. */
  pointTick?: (point: string) => string
}

/** All that is drawn, the reference last. */
export const allSeries = ({ series, reference }: ChartData): readonly Series[] =>
  reference ? [...series, reference] : series

/** Whether there is any number to draw. */
export const hasNumbers = (data: ChartData) =>
  allSeries(data).some(({ values }) => values.some(value => value !== null))

/** The sum of a stack at a point; null where nothing is known. */
export function totalAt({ series }: ChartData, point: number): number | null {
  const known = series.map(({ values }) => values[point] ?? null).filter(value => value !== null)
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0)
}
