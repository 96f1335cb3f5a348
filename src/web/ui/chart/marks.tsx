import type { ChartData, Series } from './chart-data.ts'
import styles from './chart.module.css'
import type { Scale } from './scale.ts'
import { markOf } from './tones.ts'

/** The marks of a chart. Each series has a colour, and a pattern or a dash beside it. */
export function Marks({ data, scale, id }: { data: ChartData; scale: Scale; id: string }) {
  const { kind, series, points, reference } = data
  return (
    <g>
      {series.map((each, index) => (
        <g key={each.key} data-tone={markOf(each, index).tone} className={styles.series}>
          {kind === 'bars' || kind === 'stacked' ? (
            points.map((point, at) => <Bar key={point} {...{ data, scale, id, index, at }} />)
          ) : (
            <Line series={each} scale={scale} dash={markOf(each, index).dash} filled={kind === 'area'} />
          )}
        </g>
      ))}
      {reference && (
        <g className={styles.reference}>
          <Line series={reference} scale={scale} dash="5 4" filled={false} />
        </g>
      )}
    </g>
  )
}

/** The patterns that the bars are filled with, one for each series. */
export function Patterns({ series, id }: { series: readonly Series[]; id: string }) {
  return (
    <defs>
      {series.map(markOf).map(({ tone, hatch }) => (
        <pattern
          key={tone}
          id={`${id}-${tone}`}
          width={6}
          height={6}
          patternUnits="userSpaceOnUse"
          data-tone={tone}
          className={styles.series}
        >
          <rect width={6} height={6} className={styles.fill} />
          {hatch && <path d={hatch} className={styles.hatch} />}
        </pattern>
      ))}
    </defs>
  )
}

interface BarProps {
  data: ChartData
  scale: Scale
  id: string
  /** Of the series among the others. */
  index: number
  /** The point. */
  at: number
}

function Bar({ data: { kind, series }, scale, id, index, at }: BarProps) {
  const value = series[index]?.values[at] ?? null
  if (value === null || value === 0) return null
  const room = Math.max(1, Math.min(scale.band * 0.72, 56))
  const beside = kind === 'bars' ? series.length : 1
  const width = room / beside
  const base = kind === 'stacked' ? stackedBelow(series, { index, at, sign: Math.sign(value) }) : 0
  const [from, to] = [scale.y(base), scale.y(base + value)]
  return (
    <rect
      x={scale.x(at) - room / 2 + (kind === 'bars' ? index * width : 0)}
      y={Math.min(from, to)}
      width={Math.max(1, width - (beside > 1 ? 1 : 0))}
      height={Math.max(1, Math.abs(to - from))}
      fill={`url(#${id}-${markOf(series[index], index).tone})`}
    />
  )
}

/** What lies between 0 and this part: those of the same sign that come before it. */
function stackedBelow(
  series: readonly Series[],
  { index, at, sign }: { index: number; at: number; sign: number },
) {
  return series
    .slice(0, index)
    .map(({ values }) => values[at] ?? 0)
    .filter(value => value * sign > 0)
    .reduce((sum, value) => sum + value, 0)
}

function Line(props: { series: Series; scale: Scale; dash: string; filled: boolean }) {
  const { series, scale, dash, filled } = props
  return (
    <>
      {pieces(series.values).map(({ start, values }) => {
        const line = values.map((value, at) => `${scale.x(start + at)},${scale.y(value)}`)
        const [from, to, zero] = [scale.x(start), scale.x(start + values.length - 1), scale.y(0)]
        return (
          <g key={start}>
            {filled && (
              <path d={`M${from},${zero}L${line.join('L')}L${to},${zero}Z`} className={styles.area} />
            )}
            <path d={`M${line.join('L')}`} strokeDasharray={dash} className={styles.line} />
            {values.length === 1 && (
              <circle cx={from} cy={scale.y(values[0] ?? 0)} r={3} className={styles.fill} />
            )}
          </g>
        )
      })}
    </>
  )
}

/** The stretches without a gap. */
function pieces(values: readonly (number | null)[]) {
  const found: { start: number; values: number[] }[] = []
  let open: number[] | null = null
  for (const [start, value] of values.entries()) {
    if (value === null) open = null
    else if (open) open.push(value)
    else found.push({ start, values: (open = [value]) })
  }
  return found
}
