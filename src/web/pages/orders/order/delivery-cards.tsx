import { Button } from '@mantine/core'
import { IconChartBar } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import type { Delivery, Quotation } from '#shared/api/quotations.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useDelivery } from '#web/pages/orders/data.ts'
import { lineName } from '#web/pages/orders/line-name.ts'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { formatMoney } from '#web/ui/money.ts'
import { PageLoading } from '#web/ui/page-loading.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { StatusBadge, type Tone } from '#web/ui/status-badge.tsx'
import styles from './delivery.module.css'
import { SpentDialog } from './spent-dialog.tsx'

/** How far the lines are, against an even spend over their days, and the order month by month. */
export function DeliveryCards({ order }: { order: Quotation }) {
  const { t } = useTranslation('orders')
  const { data, error, refetch } = useDelivery(order.id, true)
  if (!data)
    return (
      <Card title={t('part.delivery')}>
        {error ? <Problem code={error.code} onRetry={() => void refetch()} /> : <PageLoading />}
      </Card>
    )
  return (
    <>
      <Card title={t('part.delivery')}>
        <p className={styles.quiet}>{t('delivery.through', { day: data.through })}</p>
        <ul className={styles.lines}>
          {data.lines.length > 1 && (
            <Bar name={t('delivery.all')} delivered={data.total} currency={data.currency} isWhole />
          )}
          {data.lines.map(line => (
            <Line key={line.line} line={line} order={order} currency={data.currency} />
          ))}
        </ul>
      </Card>
      <Months delivery={data} />
    </>
  )
}

type DeliveredLine = Delivery['lines'][number]

interface LineProps {
  line: DeliveredLine
  order: Quotation
  currency: string
}

function Line({ line, order, currency }: LineProps) {
  const { t, language } = useTranslation('orders')
  const [isTyping, setIsTyping] = useState(false)
  const ordered = order.lines.find(({ id }) => id === line.line)
  const name = ordered ? lineName(ordered, language) : ''
  return (
    <Bar name={name} delivered={line} currency={currency} note={t('from_to', line)}>
      {line.days_over === 0 ? (
        <span>{t('delivery.not_begun', { day: line.start })}</span>
      ) : line.code !== null ? (
        <span>{t(`delivery.${line.code}`)}</span>
      ) : (
        line.spent === null && <span>{t('delivery.no_accounts')}</span>
      )}
      {ordered?.accounts.length === 0 && !line.is_final && order.may.includes('edit') && (
        <Button size="compact-xs" variant="light" onClick={() => setIsTyping(true)}>
          {t('delivery.type')}
        </Button>
      )}
      {isTyping && ordered && <SpentDialog order={order} line={ordered} onClose={() => setIsTyping(false)} />}
    </Bar>
  )
}

type Delivered = Pick<DeliveredLine, 'media' | 'spent' | 'expected' | 'pace' | 'verdict' | 'forecast'> & {
  is_final?: boolean
}

interface BarProps {
  name: string
  delivered: Delivered
  currency: string
  note?: string
  isWhole?: boolean
  children?: ReactNode
}

const tones: Record<NonNullable<Delivered['verdict']>, Tone> = { under: 'warn', on_pace: 'good', over: 'bad' }

/** Spent against ordered, with the mark of where it should be today, and the same in words. */
function Bar({ name, delivered, currency, note, isWhole = false, children }: BarProps) {
  const { t, language } = useTranslation('orders')
  const { media, spent, expected, pace, verdict, forecast, is_final } = delivered
  const money = (amount: number) => formatMoney(amount, currency, language)
  const share = (amount: number) => (media === 0 ? 0 : Math.min((amount / media) * 100, 100))
  const words = {
    name,
    spent: spent === null ? t('delivery.not_known') : money(spent),
    media: money(media),
    expected: money(expected),
  }
  return (
    <li className={styles.line} data-whole={isWhole || undefined}>
      <div className={styles.head}>
        <span className={styles.name}>
          <strong>{name}</strong>
          {note !== undefined && <small>{note}</small>}
        </span>
        {is_final ? (
          <StatusBadge tone="neutral" label={t('delivery.final')} />
        ) : (
          verdict !== null && <StatusBadge tone={tones[verdict]} label={t(`delivery.${verdict}`)} />
        )}
      </div>
      <div className={styles.bar} role="img" aria-label={t('delivery.bar', words)}>
        {spent !== null && (
          <span
            className={styles.spent}
            data-verdict={verdict ?? undefined}
            style={{ inlineSize: `${share(spent)}%` }}
          />
        )}
        <span className={styles.mark} style={{ insetInlineStart: `${share(expected)}%` }} />
      </div>
      <p className={styles.facts}>
        <strong data-tabular>{t('delivery.of', words)}</strong>
        <span>{t('delivery.expected', { amount: money(expected) })}</span>
        {pace !== null && (
          <span>{t('delivery.pace', { pace: pace.toLocaleString(language, { style: 'percent' }) })}</span>
        )}
        {forecast !== null && <span>{t('delivery.forecast', { amount: money(forecast) })}</span>}
        {children}
      </p>
    </li>
  )
}

const columns = ['ordered', 'delivered', 'asked', 'received'] as const

function Months({ delivery: { months, currency } }: { delivery: Delivery }) {
  const { t, language } = useTranslation('orders')
  return (
    <Card title={t('part.months')} padding="flush">
      {months.length === 0 ? (
        <EmptyState icon={IconChartBar} title={t('delivery.empty')} />
      ) : (
        // It scrolls, so the keyboard must come to it.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <div className={styles.months} role="region" aria-label={t('part.months')} tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t('delivery.month')}</th>
                {columns.map(column => (
                  <th key={column} scope="col">
                    {t(`delivery.${column}`)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {months.map(month => (
                <tr key={month.month}>
                  <th scope="row">{month.month}</th>
                  {columns.map(column => {
                    const amount = month[column]
                    return (
                      <td key={column}>{amount === null ? '–' : formatMoney(amount, currency, language)}</td>
                    )
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Card>
  )
}
