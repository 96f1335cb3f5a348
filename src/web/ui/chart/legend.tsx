import { allSeries, type ChartData } from './chart-data.ts'
import styles from './chart.module.css'
import { markOf } from './tones.ts'

/** Which mark is which series, in the order of the readout and of the table. */
export function Legend({ data, id }: { data: ChartData; id: string }) {
  return (
    // Long ones scroll, so the keyboard must come to them.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <ul className={styles.legend} tabIndex={0}>
      {allSeries(data).map((series, index) => (
        <li key={series.key}>
          <Swatch data={data} id={id} index={index} />
          {series.name}
        </li>
      ))}
    </ul>
  )
}

/** A little of the mark itself. */
export function Swatch({ data, id, index }: { data: ChartData; id: string; index: number }) {
  const isReference = index === data.series.length
  const hasBars = data.kind === 'bars' || data.kind === 'stacked'
  const { tone, dash } = markOf(data.series[index], index)
  return (
    <svg
      width={18}
      height={12}
      aria-hidden
      className={isReference ? styles.reference : styles.series}
      {...(!isReference && { 'data-tone': tone })}
    >
      {hasBars && !isReference ? (
        <rect x={3} width={12} height={12} rx={2} fill={`url(#${id}-${tone})`} />
      ) : (
        <path d="M0,6H18" strokeDasharray={isReference ? '5 4' : dash} className={styles.line} />
      )}
    </svg>
  )
}
