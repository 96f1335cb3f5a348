import { Button } from '@mantine/core'
import { IconFileDownload } from '@tabler/icons-react'
import { useState } from 'react'
import type { Payment } from '#shared/api/payments.ts'
import { download } from '#web/client/download.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { InlineAlert } from '#web/ui/inline-alert.tsx'
import { formatMoney } from '#web/ui/money.ts'
import { PageLoading } from '#web/ui/page-loading.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { PATH, usePayment } from './data.ts'
import { InvoiceForm } from './invoice-form.tsx'
import { PaymentState } from './payment-state.tsx'
import { openOf, Source } from './payment-table.tsx'
import styles from './payments.module.css'
import { Receipts } from './receipts.tsx'
import { VoidDialog } from './void-dialog.tsx'

/** One payment: what it is for, its invoice, and the money that came. */
export function PaymentDrawer({ id, onClose }: { id: number; onClose: () => void }) {
  const { t } = useTranslation('payments')
  const { data, error, refetch } = usePayment(id)
  return (
    <Dialog
      opened

      size={520}
      title={data ? t('one.title', { number: data.number }) : t('title')}
      onClose={onClose}
    >
      {error && !data ? (
        error.status === 404 ? (
          <p>{t('one.missing')}</p>
        ) : (
          <Problem code={error.code} onRetry={() => void refetch()} />
        )
      ) : data ? (
        <Content payment={data} />
      ) : (
        <PageLoading />
      )}
    </Dialog>
  )
}

function Content({ payment }: { payment: Payment }) {
  const { t } = useTranslation('payments')
  const [isVoiding, setIsVoiding] = useState(false)
  const { id, status, reason, may } = payment
  return (
    <div className={styles.drawer}>
      <Summary payment={payment} />
      {status === 'void' && (
        <InlineAlert severity="info">{t('one.void', { reason: reason ?? '' })}</InlineAlert>
      )}
      <Receipts payment={payment} />
      <InvoiceForm key={payment.version} payment={payment} />
      <div className={styles.ends}>
        <Button
          variant="default"
          leftSection={<IconFileDownload size={16} stroke={1.7} aria-hidden />}
          onClick={() =>
            void download(`${PATH}${id}/pdf/`).catch(() =>
              showToast({ severity: 'error', message: t('failed') }),
            )
          }
        >
          {t('one.pdf')}
        </Button>
        {may.includes('void') && (
          <Button variant="subtle" color="red" onClick={() => setIsVoiding(true)}>
            {t('voiding.open')}
          </Button>
        )}
      </div>
      {may.length === 0 && status !== 'void' && <p className={styles.quiet}>{t('one.only_finance')}</p>}
      {isVoiding && <VoidDialog payment={payment} onClose={() => setIsVoiding(false)} />}
    </div>
  )
}

/** What is left to receive, large, and what it comes from. */
function Summary({ payment }: { payment: Payment }) {
  const { t, language } = useTranslation('payments')
  const money = (amount: number) => formatMoney(amount, payment.currency, language)
  const share = payment.amount === 0 ? 0 : Math.min((payment.received / payment.amount) * 100, 100)
  return (
    <>
      <div className={styles.top}>
        <span>
          {payment.advertiser_name}
          <small className={styles.below}>
            <Source payment={payment} />
          </small>
        </span>
        <PaymentState status={payment.status} />
      </div>
      {payment.status !== 'void' && (
        <div className={styles.left}>
          <span>{t('one.left')}</span>
          <strong data-tabular>{money(openOf(payment))}</strong>
          <div className={styles.meter} aria-hidden>
            <span style={{ inlineSize: `${share}%` }} />
          </div>
        </div>
      )}
      <dl className={styles.facts}>
        <dt>{t('one.amount')}</dt>
        <dd>{money(payment.amount)}</dd>
        {payment.untaxed > 0 && (
          <>
            <dt data-sub>{t('one.untaxed')}</dt>
            <dd data-sub>{money(payment.untaxed)}</dd>
          </>
        )}
        <dt data-sub>{t('one.taxable')}</dt>
        <dd data-sub>{money(payment.taxable)}</dd>
        <dt data-sub>{t('one.tax_amount')}</dt>
        <dd data-sub>{money(payment.tax_amount)}</dd>
        <dt>{t('one.received')}</dt>
        <dd>{money(payment.received)}</dd>
        <dt>{t('one.issue_on')}</dt>
        <dd>{payment.issue_on}</dd>
        <dt>{t('one.due_on')}</dt>
        <dd>{payment.due_on}</dd>
      </dl>
    </>
  )
}
