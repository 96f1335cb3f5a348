import { Button, VisuallyHidden } from '@mantine/core'
import { IconChartBar, IconTable } from '@tabler/icons-react'
import { useId, useState, type ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { allSeries, hasNumbers, type ChartData, type ChartWords } from './chart-data.ts'
import { ChartTable } from './chart-table.tsx'
import styles from './chart.module.css'
import { Legend } from './legend.tsx'
import { Plot } from './plot.tsx'

export interface ChartProps {
  data: ChartData
  words: ChartWords
  /** In pixels, with everything around the drawing. */
  height: number
  /** What is shown when there is no number at all. */
  empty: ReactNode
}

/** Numbers over time or by name as a drawing, with its table behind a toggle and a summary in words. */
export function Chart({ data, words, height, empty }: ChartProps) {
  const { t } = useTranslation('ui')
  const id = useId()
  const [as_table, setAsTable] = useState(false)
  if (!hasNumbers(data))
    return (
      <div className={styles.chart} style={{ height }}>
        <div className={styles.empty}>{empty}</div>
      </div>
    )
  const Icon = as_table ? IconChartBar : IconTable
  const other = t(as_table ? 'chart.as_chart' : 'chart.as_table')
  return (
    <figure className={styles.chart} style={{ height }} aria-label={words.label}>
      <div className={styles.top}>
        <Legend data={data} id={id} />
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          className={styles.toggle}
          onClick={() => setAsTable(!as_table)}
          aria-label={other}
          title={other}
        >
          <Icon size={16} stroke={1.7} aria-hidden />
          <span className={styles.toggleWords}>&nbsp;{other}</span>
        </Button>
      </div>
      {as_table ? (
        <ChartTable data={data} words={words} />
      ) : (
        <Plot data={data} words={words} id={id} summary={`${id}-summary`} />
      )}
      <VisuallyHidden component="figcaption" id={`${id}-summary`}>
        <Summary data={data} words={words} />
      </VisuallyHidden>
    </figure>
  )
}

/** From when to when, and of each series the last, the lowest and the highest. */
function Summary({ data, words: { format } }: { data: ChartData; words: ChartWords }) {
  const { t } = useTranslation('ui')
  const known = allSeries(data).flatMap(({ name, values }) => {
    const numbers = values.filter(value => value !== null)
    const last = numbers.at(-1)
    return last === undefined
      ? []
      : [
          {
            name,
            last: format(last),
            least: format(Math.min(...numbers)),
            most: format(Math.max(...numbers)),
          },
        ]
  })
  return (
    <>
      {t('chart.from_to', { first: data.points[0] ?? '', last: data.points.at(-1) ?? '' })}{' '}
      {known.map(facts => t('chart.series', facts)).join(' ')}
    </>
  )
}
