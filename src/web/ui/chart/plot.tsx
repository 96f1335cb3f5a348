import { useElementSize } from '@mantine/hooks'
import { useState, type KeyboardEvent, type PointerEvent } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { totalAt, type ChartData, type ChartWords } from './chart-data.ts'
import styles from './chart.module.css'
import { Marks, Patterns } from './marks.tsx'
import { Readout } from './readout.tsx'
import { pointAt, scaleOf, type Scale } from './scale.ts'

interface PlotProps {
  data: ChartData
  words: ChartWords
  /** Of this chart, for the patterns. */
  id: string
  /** The element that sums it up in words. */
  summary: string
}

/**
 * The drawing. For a screen reader and for the keyboard it is a slider over its points: the arrow keys go
 * from one to the next and what is there is read out.
 */
export function Plot({ data, words, id, summary }: PlotProps) {
  const { t } = useTranslation('ui')
  const { ref, width, height } = useElementSize()
  const [at, setAt] = useState<number | null>(null)
  const { points } = data
  const { format, formatTick = format, pointTick = String } = words
  const scale = scaleOf(data, { width, height }, { tick: formatTick, point: pointTick })
  const active = at === null ? null : Math.min(at, points.length - 1)
  const follow = ({ currentTarget, clientX }: PointerEvent) =>
    setAt(pointAt(scale, clientX - currentTarget.getBoundingClientRect().left, points.length))
  const move = (event: KeyboardEvent) => {
    const to = target(event.key, active ?? 0, points.length)
    if (to === undefined) return
    event.preventDefault()
    setAt(to)
  }
  return (
    <div
      ref={ref}
      className={styles.plot}
      role="slider"
      tabIndex={0}
      aria-label={t('chart.points', { label: words.label })}
      aria-describedby={summary}
      aria-valuemin={0}
      aria-valuemax={points.length - 1}
      aria-valuenow={active ?? 0}
      aria-valuetext={spoken(data, words, { at: active ?? 0, total: t('chart.total') })}
      onPointerMove={follow}
      onPointerDown={follow}
      onPointerLeave={() => setAt(null)}
      onFocus={() => setAt(current => current ?? points.length - 1)}
      onBlur={() => setAt(null)}
      onKeyDown={move}
    >
      {width > 0 && (
        <svg width={width} height={height} aria-hidden>
          <Patterns series={data.series} id={id} />
          <Axes {...{ data, scale, formatTick, pointTick }} />
          {active !== null && (
            <rect
              className={styles.at}
              x={scale.left + scale.band * active}
              y={scale.top}
              width={scale.band}
              height={scale.bottom - scale.top}
            />
          )}
          <Marks data={data} scale={scale} id={id} />
        </svg>
      )}
      {active !== null && width > 0 && (
        <Readout {...{ data, words, id, at: active, x: scale.x(active), width }} />
      )}
    </div>
  )
}

/** The grid, its values, and the names of the points. */
function Axes(props: {
  data: ChartData
  scale: Scale
  formatTick: (value: number) => string
  pointTick: (point: string) => string
}) {
  const { data, scale, formatTick, pointTick } = props
  return (
    <g className={styles.axes}>
      {scale.ticks.map(tick => (
        <g key={tick}>
          <path d={`M${scale.left},${scale.y(tick)}H${scale.right}`} data-zero={tick === 0 || undefined} />
          <text x={scale.left - 8} y={scale.y(tick)} dy="0.35em" textAnchor="end">
            {formatTick(tick)}
          </text>
        </g>
      ))}
      {data.points.map(
        (point, at) =>
          // Counted from the newest, which people look for first.
          (data.points.length - 1 - at) % scale.named_every === 0 && (
            <text key={point} {...placeOfName(scale, at, data.points.length)} y={scale.bottom + 16}>
              {pointTick(point)}
            </text>
          ),
      )}
    </g>
  )
}

/** Under its point; the last one may not reach over the edge. */
const placeOfName = (scale: Scale, at: number, count: number) =>
  at === count - 1 && scale.band < 60
    ? ({ x: scale.right, textAnchor: 'end' } as const)
    : ({ x: scale.x(at), textAnchor: 'middle' } as const)

function target(key: string, at: number, count: number): number | undefined {
  const last = count - 1
  const targets: Record<string, number> = {
    ArrowLeft: Math.max(0, at - 1),
    ArrowDown: Math.max(0, at - 1),
    ArrowRight: Math.min(last, at + 1),
    ArrowUp: Math.min(last, at + 1),
    Home: 0,
    End: last,
    PageUp: Math.max(0, at - 7),
    PageDown: Math.min(last, at + 7),
  }
  return targets[key]
}

/** "2026-11-03: Meta ads 120, TikTok 80, Total 200" */
function spoken(data: ChartData, { format }: ChartWords, { at, total }: { at: number; total: string }) {
  const { kind, series, reference } = data
  const all = [
    ...series.map(({ name, values }) => [name, values[at] ?? null] as const),
    ...(kind === 'stacked' ? [[total, totalAt(data, at)] as const] : []),
    ...(reference ? [[reference.name, reference.values[at] ?? null] as const] : []),
  ]
  const values = all.flatMap(([name, value]) => (value === null ? [] : [`${name} ${format(value)}`]))
  return `${data.points[at] ?? ''}: ${values.join(', ') || '–'}`
}
