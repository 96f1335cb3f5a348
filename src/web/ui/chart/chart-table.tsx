import { useTranslation } from '#web/i18n/use-translation.ts'
import { totalAt, type ChartData, type ChartWords } from './chart-data.ts'
import styles from './chart.module.css'

/** The same numbers as a table, the newest first. */
export function ChartTable({ data, words }: { data: ChartData; words: ChartWords }) {
  const { t } = useTranslation('ui')
  const { series, reference } = data
  const hasTotal = data.kind === 'stacked' && series.length > 1
  const written = (value: number | null) => (value === null ? '–' : words.format(value))
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and so must be reachable by keyboard
    <div className={styles.scroll} role="region" aria-label={words.label} tabIndex={0}>
      <table className={styles.table} aria-label={words.label}>
        <thead>
          <tr>
            <th scope="col">{words.points_label}</th>
            {series.map(({ key, name }) => (
              <th key={key} scope="col">
                {name}
              </th>
            ))}
            {hasTotal && <th scope="col">{t('chart.total')}</th>}
            {reference && <th scope="col">{reference.name}</th>}
          </tr>
        </thead>
        <tbody>
          {data.points
            .map((point, at) => (
              <tr key={point}>
                <th scope="row">{point}</th>
                {series.map(({ key, values }) => (
                  <td key={key}>{written(values[at] ?? null)}</td>
                ))}
                {hasTotal && <td>{written(totalAt(data, at))}</td>}
                {reference && <td>{written(reference.values[at] ?? null)}</td>}
              </tr>
            ))
            .toReversed()}
        </tbody>
      </table>
    </div>
  )
}
