import type { EcSpend } from '#shared/api/ec-spend.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { formatAmount } from '#web/ui/money.ts'
import { MonthPicker } from '#web/ui/month-picker.tsx'
import { monthText } from '#web/ui/month.ts'
import { Amount, Change } from './amount.tsx'
import styles from './ec-spend.module.css'
import { useLineName } from './line-name.ts'
import { changeOf, linesOf, totalLine, type Cell } from './lines.ts'
import { listsAccounts, useView, type View } from './view.ts'

interface CompareProps {
  spend: EcSpend
  view: View
  currency: string
  a: string
  b: string
}

/** Two months beside each other. */
export function Compare({ spend, view, currency, a, b }: CompareProps) {
  const { t, language } = useTranslation('spending')
  const nameOf = useLineName()
  const { measure } = view
  const group = view.group === 'account' && !listsAccounts(view) ? 'advertiser' : view.group
  const lines = linesOf(spend.rows, { currency, measure, group }).filter(
    ({ cells }) => cells.has(a) || cells.has(b),
  )
  const total = totalLine(spend.rows, currency, measure)
  return (
    <>
      <CompareMonths a={a} b={b} />
      <div className={styles.compare}>
        <table
          className={styles.matrix}
          aria-label={t('compare.label', { a: monthText(a, language), b: monthText(b, language) })}
        >
          <thead>
            <tr>
              <th scope="col">{t(`group.${group}`)}</th>
              {[
                monthText(a, language),
                monthText(b, language),
                t('compare.change'),
                t('compare.percent'),
              ].map(head => (
                <th key={head} scope="col" data-align="end">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {lines.map(line => (
              <CompareLine
                key={line.key}
                name={nameOf(line)}
                cells={[line.cells.get(a), line.cells.get(b)]}
                currency={currency}
              />
            ))}
          </tbody>
          <tbody className={styles.foot}>
            <CompareLine
              name={t('matrix.all')}
              cells={[total.cells.get(a), total.cells.get(b)]}
              currency={currency}
            />
          </tbody>
        </table>
      </div>
    </>
  )
}

function CompareMonths({ a, b }: { a: string; b: string }) {
  const { t } = useTranslation('spending')
  const { view, change } = useView()
  const range = { from: view.from, to: view.to, latestFirst: true }
  return (
    <div className={styles.compareMonths}>
      <MonthPicker
        {...range}
        label={t('compare.a')}
        value={a}
        onChange={month => change({ a: month ?? a, b })}
      />
      <MonthPicker
        {...range}
        label={t('compare.b')}
        value={b}
        onChange={month => change({ a, b: month ?? b })}
      />
    </div>
  )
}

const NOTHING: Cell = { amount: 0n, gap: null }

interface CompareLineProps {
  name: string
  cells: [Cell | undefined, Cell | undefined]
  currency: string
}

/** A month without an amount has nothing, which can be compared; an unknown one cannot. */
function CompareLine({ name, cells: [a, b], currency }: CompareLineProps) {
  const { language } = useTranslation('spending')
  const [before, now] = [a ?? NOTHING, b ?? NOTHING]
  const difference =
    before.gap !== null || now.gap !== null || before.amount === null || now.amount === null
      ? null
      : now.amount - before.amount
  return (
    <tr>
      <th scope="row">{name}</th>
      <td data-align="end">
        <Amount cell={a} currency={currency} />
      </td>
      <td data-align="end">
        <Amount cell={b} currency={currency} />
      </td>
      <td data-align="end" className={styles.amount}>
        {difference === null
          ? '—'
          : `${difference > 0n ? '+' : ''}${formatAmount(difference, currency, language)}`}
      </td>
      <td data-align="end">{difference === null ? '—' : <Change share={changeOf(now, before)} />}</td>
    </tr>
  )
}
