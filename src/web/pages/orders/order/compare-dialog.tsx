import { useNavigate } from '@tanstack/react-router'
import type { Quotation, QuotationLine } from '#shared/api/quotations.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useOrder } from '#web/pages/orders/data.ts'
import { lineName } from '#web/pages/orders/line-name.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { formatMoney } from '#web/ui/money.ts'
import { PageLoading } from '#web/ui/page-loading.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { formatRate } from '#web/ui/rate.ts'
import { lineDifferences, sumNames } from './differences.ts'
import styles from './order.module.css'

/** Two revisions beside each other: the older one left, whichever was opened. */
export function CompareDialog({ order, other }: { order: Quotation; other: number }) {
  const { t } = useTranslation('orders')
  const navigate = useNavigate()
  const { data, error, refetch } = useOrder(other)
  const close = () =>
    void navigate({
      to: '/customer/insertion-order/$id',
      params: { id: String(order.id) },
      search: {},
      replace: true,
    })
  return (
    <Dialog opened title={t('compare.title')} size={820} onClose={close}>
      {error && !data ? (
        <Problem code={error.code} onRetry={() => void refetch()} />
      ) : !data ? (
        <PageLoading />
      ) : data.revision < order.revision ? (
        <Comparison before={data} after={order} />
      ) : (
        <Comparison before={order} after={data} />
      )}
    </Dialog>
  )
}

function Comparison({ before, after }: { before: Quotation; after: Quotation }) {
  const { t, language } = useTranslation('orders')
  const lines = lineDifferences(before.lines, after.lines)
  const sums = sumNames.filter(name => before[name] !== after[name] || name === 'total')
  const money = (order: Quotation, amount: number) => formatMoney(amount, order.currency, language)
  const isSame = lines.length === 0 && sums.every(name => before[name] === after[name])
  if (isSame) return <p>{t('compare.same')}</p>
  return (
    // It scrolls, so the keyboard must come to it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={styles.compare} role="region" aria-label={t('compare.title')} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('compare.what')}</th>
            <th scope="col">{t('revision', { revision: before.revision })}</th>
            <th scope="col">{t('revision', { revision: after.revision })}</th>
          </tr>
        </thead>
        <tbody>
          {sums.map(name => (
            <tr key={name} data-changed={before[name] !== after[name] || undefined}>
              <th scope="row">{t(`sum.${name}`)}</th>
              <td data-figure>{money(before, before[name])}</td>
              <td data-figure>{money(after, after[name])}</td>
            </tr>
          ))}
          {lines.map(pair => (
            <tr key={(pair.after ?? pair.before)?.id} data-changed>
              <th scope="row">
                {lineName((pair.after ?? pair.before) as QuotationLine, language)}
                <small className={styles.below}>
                  {t(
                    pair.before === null
                      ? 'compare.added'
                      : pair.after === null
                        ? 'compare.removed'
                        : 'compare.changed',
                  )}
                </small>
              </th>
              <td>
                <LineText line={pair.before} currency={before.currency} />
              </td>
              <td>
                <LineText line={pair.after} currency={after.currency} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** What counts of a line, one fact below the other. */
function LineText({ line, currency }: { line: QuotationLine | null; currency: string }) {
  const { t, language } = useTranslation('orders')
  if (line === null) return '–'
  const { title, description, start, end, pricing, quantity, unit_price, budget, fee, fee_rate } = line
  const money = (amount: number) => formatMoney(amount, currency, language)
  const facts = [
    title,
    description,
    t('from_to', { start, end }),
    pricing !== 'budget' &&
      `${t(`pricing.${pricing}`)} ${t('line.quantity_price', { quantity, price: money(unit_price) })}`,
    `${t('line.budget')} ${money(budget)}`,
    `${t('line.fee')} ${money(fee)} (${formatRate(fee_rate, language)} ${t(`fee_basis.${line.fee_basis}`)})`,
  ]
  return facts.flatMap(fact => fact || []).map(fact => <div key={fact}>{fact}</div>)
}
