import { Button } from '@mantine/core'
import { IconArrowsDiff } from '@tabler/icons-react'
import type { BillingMonth, Statement } from '#shared/api/ec-spend.ts'
import { channelNames } from '#shared/channels/catalogue.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { monthText } from '#web/ui/month.ts'
import { Problem } from '#web/ui/problem.tsx'
import { useBookDrift } from './data.ts'
import { Money } from './money.tsx'
import styles from './month.module.css'
import { hasDrift, unbooked } from './sums.ts'

/** What platforms have changed since the month was locked, by advertiser. */
export function DriftTab({ month, statements }: { month: BillingMonth; statements: readonly Statement[] }) {
  const { t } = useTranslation('closing')
  // An advertiser with several billing currencies has the same drift on each of its statements.
  const advertisers = [...Map.groupBy(statements, ({ advertiser }) => advertiser)].flatMap(([, [first]]) =>
    first && first.drift.length > 0 ? [first] : [],
  )
  if (advertisers.length === 0)
    return (
      <Card padding="flush">
        <EmptyState
          icon={IconArrowsDiff}
          title={t(month.state === 'locked' ? 'drift.none' : 'drift.open')}
          detail={t('drift.detail')}
        />
      </Card>
    )
  return (
    <>
      <p className={styles.hint}>{t('drift.detail')}</p>
      {advertisers.map(statement => (
        <DriftOf key={statement.advertiser} statement={statement} />
      ))}
    </>
  )
}

function DriftOf({ statement }: { statement: Statement }) {
  const { t, language } = useTranslation('closing')
  const book = useBookDrift()
  const { advertiser, advertiser_name, month, drift } = statement
  return (
    <Card
      title={advertiser_name}
      padding="flush"
      actions={
        hasDrift(statement) ? (
          <Button
            size="xs"
            loading={book.isPending}
            aria-label={t('drift.book_of', { advertiser: advertiser_name })}
            onClick={() =>
              book.mutate(
                { month, advertiser },
                {
                  onSuccess: reply =>
                    showToast({
                      severity: 'success',
                      message: t('drift.done', {
                        count: reply.adjustments,
                        month: monthText(reply.month, language),
                      }),
                    }),
                },
              )
            }
          >
            {t('drift.book')}
          </Button>
        ) : (
          <span className={styles.quiet}>{t('drift.booked')}</span>
        )
      }
    >
      {book.error && <Problem code={book.error.code} audience="internal" />}
      <table className={styles.table} aria-label={t('drift.of', { advertiser: advertiser_name })}>
        <thead>
          <tr>
            <th scope="col">{t('column.channel')}</th>
            {columns.map(name => (
              <th key={name} scope="col" data-align="end">
                {t(`column.${name}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {drift.map(part => (
            <tr key={`${part.channel} ${part.currency}`}>
              <th scope="row">
                {channelNames[part.channel][language]}{' '}
                <span className={styles.currency}>{part.currency}</span>
              </th>
              {Object.entries(amountsOf(part)).map(([name, amount]) => (
                <td key={name} data-align="end">
                  <Money amount={amount} currency={part.currency} signed />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  )
}

const columns = ['changed', 'booked', 'unbooked'] as const

const amountsOf = (part: Statement['drift'][number]): Record<(typeof columns)[number], number> => ({
  changed: part.amount,
  booked: part.booked,
  unbooked: unbooked(part),
})
