import { Button } from '@mantine/core'
import { IconChevronDown, IconChevronRight, IconDownload, IconFileInvoice } from '@tabler/icons-react'
import { useState } from 'react'
import type { Statement } from '#shared/api/ec-spend.ts'
import { useFailureText } from '#web/client/failure-text.ts'
import { LinkText } from '#web/client/links.tsx'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { downloadStatement } from './data.ts'
import { Money } from './money.tsx'
import styles from './month.module.css'
import { StatementLines } from './statement-lines.tsx'
import { SumsList } from './sums-list.tsx'

/** What each advertiser owes for the month. */
export function Statements({ statements }: { statements: readonly Statement[] }) {
  const { t } = useTranslation('closing')
  if (statements.length === 0)
    return (
      <Card padding="flush">
        <EmptyState icon={IconFileInvoice} title={t('statements.none')} />
      </Card>
    )
  return (
    <>
      <Card title={t('statements.sums')}>
        <SumsList statements={statements} />
      </Card>
      <ul className={styles.statements}>
        {statements.map(statement => (
          <StatementCard key={`${statement.advertiser} ${statement.currency}`} statement={statement} />
        ))}
      </ul>
    </>
  )
}

function StatementCard({ statement }: { statement: Statement }) {
  const { t } = useTranslation('closing')
  const [isOpen, setIsOpen] = useState(false)
  const { advertiser_name, currency } = statement
  const Icon = isOpen ? IconChevronDown : IconChevronRight
  return (
    <li className={styles.statement}>
      <div className={styles.statementHead}>
        <button
          type="button"
          className={styles.opener}
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          <Icon size={16} stroke={1.8} aria-hidden />
          <strong>{advertiser_name}</strong>
          <span className={styles.quiet}>{currency}</span>
        </button>
        <dl className={styles.amounts}>
          {(['media', 'fee', 'tax_amount', 'total'] as const).map(name => (
            <div key={name}>
              <dt>{t(`amount.${name}`)}</dt>
              <dd>
                <Money amount={statement[name]} currency={currency} />
              </dd>
            </div>
          ))}
        </dl>
        <span className={styles.statementState}>
          <BillingState statement={statement} />
        </span>
        <PdfButton statement={statement} />
      </div>
      {statement.warnings.length > 0 && (
        <p className={styles.warnings}>{statement.warnings.map(name => t(`warning.${name}`)).join(' ')}</p>
      )}
      {isOpen && <StatementLines statement={statement} />}
    </li>
  )
}

/** Whether it was asked for, and by what. */
function BillingState({ statement: { id, total, payment, covered_by } }: { statement: Statement }) {
  const { t } = useTranslation('closing')
  if (payment)
    return (
      <LinkText
        to="/customer/insertion-order/payments"
        search={{ search: payment.number, page: 1, payment: payment.id }}
      >
        {t('billing.payment', { number: payment.number })}
      </LinkText>
    )
  if (covered_by)
    return (
      <LinkText to="/customer/insertion-order/$id" params={{ id: String(covered_by.id) }}>
        {t('billing.covered', { label: covered_by.label })}
      </LinkText>
    )
  if (total !== null && total <= 0) return <StatusBadge tone="neutral" label={t('billing.nothing')} />
  return (
    <StatusBadge
      tone={id === null ? 'neutral' : 'warn'}
      label={t(id === null ? 'billing.live' : 'billing.open')}
    />
  )
}

function PdfButton({ statement }: { statement: Statement }) {
  const { t } = useTranslation('closing')
  const failureText = useFailureText()
  const [loading, setLoading] = useState(false)
  async function save() {
    setLoading(true)
    try {
      await downloadStatement(statement)
    } catch (error) {
      showToast({ severity: 'error', message: failureText(error) ?? t('pdf.failed') })
    } finally {
      setLoading(false)
    }
  }
  return (
    <Button
      size="xs"
      variant="subtle"
      leftSection={<IconDownload size={14} stroke={1.8} />}
      loading={loading}
      aria-label={t('pdf.of', { advertiser: statement.advertiser_name, currency: statement.currency })}
      onClick={() => void save()}
    >
      {t('pdf.save')}
    </Button>
  )
}
