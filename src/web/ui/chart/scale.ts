import { allSeries, type ChartData } from './chart-data.ts'

// Where things are drawn, in pixels. Pure, so that it can be tested without a browser.

export interface Room {
  width: number
  height: number
}

export interface Scale {
  /** The rectangle that the marks are drawn in. */
  left: number
  right: number
  top: number
  bottom: number
  /** Round values along the upright axis, ascending. */
  ticks: readonly number[]
  /** The width of one point. */
  band: number
  /** The middle of a point. */
  x: (point: number) => number
  y: (value: number) => number
  /** Every how many-th point is named, so that no two names touch. */
  named_every: number
}

const FONT = 12
const GAP = 8
const LINE = 22
/** Grid lines are at least this many pixels apart. */
const TICK_ROOM = 44

export function scaleOf(
  data: ChartData,
  room: Room,
  names: { tick: (value: number) => string; point: (point: string) => string },
): Scale {
  const top = GAP
  const bottom = Math.max(top + 1, room.height - LINE)
  const [least, greatest] = extent(data)
  const ticks = distinctTicks([least, greatest], Math.floor((bottom - top) / TICK_ROOM), names.tick)
  const left = Math.ceil(Math.max(...ticks.map(tick => textWidth(names.tick(tick))))) + GAP + 2
  const right = Math.max(left + 1, room.width - GAP)
  const band = (right - left) / Math.max(1, data.points.length)
  const [low = 0, high = 1] = [ticks[0], ticks.at(-1)]
  const widest = Math.max(0, ...data.points.map(point => textWidth(names.point(point))))
  return {
    left,
    right,
    top,
    bottom,
    ticks,
    band,
    x: point => left + band * (point + 0.5),
    y: value => bottom - ((value - low) / (high - low)) * (bottom - top),
    named_every: Math.max(1, Math.ceil((widest + 2 * GAP) / band)),
  }
}

/** Which point a pixel belongs to; null beside the plot. */
export function pointAt(scale: Scale, x: number, count: number): number | null {
  const point = Math.floor((x - scale.left) / scale.band)
  return point >= 0 && point < count ? point : null
}

/** The least and the greatest that is drawn; 0 is within, since a bar that begins elsewhere lies. */
function extent(data: ChartData): [number, number] {
  const numbers = allSeries(data).flatMap(({ values }) => values.filter(value => value !== null))
  if (data.kind === 'stacked')
    for (const point of data.points.keys()) {
      const parts = data.series.map(({ values }) => values[point] ?? 0)
      for (const sign of [1, -1])
        numbers.push(parts.filter(part => part * sign > 0).reduce((sum, part) => sum + part, 0))
    }
  if (data.closeUp && numbers.length > 0) return [Math.min(...numbers), Math.max(...numbers)]
  return [Math.min(0, ...numbers), Math.max(0, ...numbers)]
}

/**
 * Round values whose labels are exact enough for their distance: in whole numbers, 0, 0.5 and 1 would read 0,
 * 1, 1. Where no distance helps, since all values have the same label, that of the values.
 */
export function distinctTicks(
  [least, greatest]: readonly [number, number],
  most: number,
  label: (value: number) => string,
): number[] {
  const finest = greatest === least ? 1 : roundStep((greatest - least) / Math.max(2, most))
  for (let step = finest, tries = 0; tries < MOST_STEPS; step = roundStep(step * 1.5), tries += 1) {
    const ticks = ticksOf(least, greatest, step)
    const labels = ticks.map(label)
    const isExact = ticks.every((tick, at) => label(tick + 0.6 * step) !== labels[at])
    if (isExact && new Set(labels).size === ticks.length) return ticks
  }
  return ticksOf(least, greatest, finest)
}

/** Three steps for each power of ten. */
const MOST_STEPS = 27

/** The smallest of 1, 2, 5 times a power of ten that is not below. */
function roundStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough))
  return cleaned(power * ([1, 2, 5, 10].find(factor => factor * power >= rough) ?? 10))
}

/** Multiples of the step that cover both ends, and at least two. */
function ticksOf(least: number, greatest: number, step: number): number[] {
  const first = Math.floor(least / step)
  const last = Math.max(first + 1, Math.ceil(greatest / step))
  // Worked out by multiplying: adding the step again and again would gather its rounding.
  return Array.from({ length: last - first + 1 }, (_, index) => cleaned((first + index) * step))
}

/** 0.30000000000000004 → 0.3 */
const cleaned = (value: number) => Number(value.toPrecision(12))

/**
 * About as wide as the text will be: a Chinese character takes its full height, a Latin letter a good half.
 */
const textWidth = (text: string) =>
  [...text].reduce((sum, letter) => sum + (letter > '\u2e7f' ? FONT : FONT * 0.6), 0)
