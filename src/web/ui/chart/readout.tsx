import type { ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { totalAt, type ChartData, type ChartWords } from './chart-data.ts'
import styles from './chart.module.css'
import { Swatch } from './legend.tsx'

interface ReadoutProps {
  data: ChartData
  words: ChartWords
  id: string
  at: number
  /** Where the point is, and how wide the plot is, in pixels. */
  x: number
  width: number
}

/** What is at one point. Beside the point, on the side that has more room. */
export function Readout({ data, words: { format }, id, at, x, width }: ReadoutProps) {
  const { t } = useTranslation('ui')
  const { series, reference } = data
  const written = (value: number | null) => (value === null ? '–' : format(value))
  const side = x > width / 2 ? { right: width - x + 12 } : { left: x + 12 }
  return (
    <div className={styles.readout} style={side} aria-hidden>
      <strong>{data.points[at]}</strong>
      <dl>
        {series.map(({ key, name, values }, index) => (
          <Line key={key} swatch={<Swatch data={data} id={id} index={index} />} name={name}>
            {written(values[at] ?? null)}
          </Line>
        ))}
        {data.kind === 'stacked' && series.length > 1 && (
          <Line name={t('chart.total')} total>
            {written(totalAt(data, at))}
          </Line>
        )}
        {reference && (
          <Line swatch={<Swatch data={data} id={id} index={series.length} />} name={reference.name}>
            {written(reference.values[at] ?? null)}
          </Line>
        )}
      </dl>
    </div>
  )
}

function Line(props: { swatch?: ReactNode; name: string; total?: boolean; children: ReactNode }) {
  const { swatch, name, total = false, children } = props
  return (
    <div data-total={total || undefined}>
      <dt>
        {swatch} {name}
      </dt>
      <dd>{children}</dd>
    </div>
  )
}
