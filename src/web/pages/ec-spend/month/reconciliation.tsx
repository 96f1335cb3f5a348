import { Button } from '@mantine/core'
import { IconAlertTriangle, IconPencil, IconScale, IconUpload } from '@tabler/icons-react'
import { useState } from 'react'
import type { BillingMonth, Reconciliation as Facts } from '#shared/api/ec-spend.ts'
import { useReload } from '#web/client/use-reload.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ImportDialog } from '#web/pages/rows/import-dialog.tsx'
import { PATH } from '#web/pages/ec-spend/data.ts'
import { ScrollRegion } from '#web/pages/ec-spend/scroll-region.tsx'
import { ChannelIcon } from '#web/pages/reports/channel-icon.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { TableLoading } from '#web/ui/table-loading.tsx'
import { useReconciliation } from './data.ts'
import { InvoiceForm } from './invoice-form.tsx'
import { Money } from './money.tsx'
import styles from './month.module.css'

export type AccountLine = Facts['results'][number]

/** What each account reports beside what its platform invoices. */
export function Reconciliation({ month }: { month: BillingMonth }) {
  const { t } = useTranslation('closing')
  const { data, error, refetch } = useReconciliation(month.month)
  if (error && !data) return <Problem code={error.code} onRetry={() => void refetch()} />
  if (!data)
    return (
      <Card padding="flush">
        <TableLoading rows={8} />
      </Card>
    )
  const isLocked = month.state === 'locked'
  const label = t('tab.reconciliation')
  if (data.results.length === 0)
    return (
      <Card padding="flush">
        <EmptyState icon={IconScale} title={t('reconciliation.none')} />
      </Card>
    )
  return (
    <Card padding="flush" title={label} actions={!isLocked && <CostImport />}>
      <p className={styles.hint}>{t(isLocked ? 'reconciliation.locked' : 'reconciliation.hint')}</p>
      <ScrollRegion label={label}>
        <table className={styles.table} aria-label={label} data-cards>
          <thead>
            <tr>
              <th scope="col">{t('column.account')}</th>
              {(['spend', 'invoice', 'difference', ...(isLocked ? (['drift'] as const) : [])] as const).map(
                name => (
                  <th key={name} scope="col" data-align="end">
                    {t(`column.${name}`)}
                  </th>
                ),
              )}
              <th scope="col">{t('column.note')}</th>
              {!isLocked && <th scope="col">{t('column.edit')}</th>}
            </tr>
          </thead>
          <tbody>
            {data.results.map(line => (
              <AccountRow key={line.ad_account} line={line} month={month.month} isLocked={isLocked} />
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </Card>
  )
}

/** Costs that no platform reports any more come from a file. */
function CostImport() {
  const { t } = useTranslation('closing')
  const reload = useReload('ec-spend')
  const [isOpen, setIsOpen] = useState(false)
  const close = () => {
    setIsOpen(false)
    void reload()
  }
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconUpload size={14} stroke={1.8} />}
        onClick={() => setIsOpen(true)}
      >
        {t('import.open')}
      </Button>
      {isOpen && <ImportDialog title={t('import.title')} path={PATH} columns={columns} onClose={close} />}
    </>
  )
}

const columns = ['month', 'account', 'channel', 'cost']

interface AccountRowProps {
  line: AccountLine
  month: string
  isLocked: boolean
}

function AccountRow({ line, month, isLocked }: AccountRowProps) {
  const { t } = useTranslation('closing')
  const [isEditing, setIsEditing] = useState(false)
  const { account_name, advertiser_name, channel, currency, invoice, known } = line
  return (
    <>
      <tr>
        <th scope="row">
          <span className={styles.account}>
            <ChannelIcon channel={channel} size={16} />
            <span>
              {account_name}
              <small className={styles.quiet}>
                {advertiser_name ?? t('nobody')} · {currency}
              </small>
            </span>
          </span>
        </th>
        <td data-align="end" data-label={t('column.spend')}>
          <Money
            amount={isLocked ? line.locked_cost : line.spend}
            currency={currency}
            reported
            why={t(known === 'partial' ? 'known.partial' : 'known.none')}
          />
          {!isLocked && known === 'partial' && line.spend !== null && (
            <small className={styles.quiet}>{t('known.partial')}</small>
          )}
        </td>
        <td data-align="end" data-label={t('column.invoice')}>
          {invoice && <Money amount={invoice.amount} currency={currency} />}
          {invoice?.number && <small className={styles.quiet}>{invoice.number}</small>}
        </td>
        <td data-align="end" data-label={t('column.difference')}>
          <Difference line={line} />
        </td>
        {isLocked && (
          <td data-align="end" data-label={t('column.drift')}>
            {line.drift !== null && line.drift !== 0 && (
              <Money amount={line.drift} currency={currency} signed />
            )}
          </td>
        )}
        <td data-label={t('column.note')} className={styles.noteCell}>
          {invoice?.note}
        </td>
        {!isLocked && (
          <td>
            <Button
              size="xs"
              variant="subtle"
              leftSection={<IconPencil size={14} stroke={1.8} />}
              aria-expanded={isEditing}
              aria-label={t(invoice ? 'invoice.edit_of' : 'invoice.add_of', { account: account_name })}
              onClick={() => setIsEditing(!isEditing)}
            >
              {t(invoice ? 'invoice.edit' : 'invoice.add')}
            </Button>
          </td>
        )}
      </tr>
      {isEditing && (
        <tr>
          <td colSpan={6} className={styles.formCell}>
            <InvoiceForm line={line} month={month} onClose={() => setIsEditing(false)} />
          </td>
        </tr>
      )}
    </>
  )
}

/** In hundred-thousandths: half a per cent. */
const NOTABLE = 500

function Difference({ line: { difference, difference_rate, currency, invoice } }: { line: AccountLine }) {
  const { t, language } = useTranslation('closing')
  if (difference === null) return null
  const isNotable = difference !== 0 && (difference_rate === null || Math.abs(difference_rate) > NOTABLE)
  return (
    <span className={isNotable ? styles.notable : undefined}>
      {isNotable && (
        <IconAlertTriangle size={14} stroke={1.8} role="img" aria-label={t('reconciliation.notable')} />
      )}{' '}
      <Money amount={difference} currency={currency} signed />
      {difference_rate !== null && (
        <small>
          {(difference_rate / 100_000).toLocaleString(language, {
            style: 'percent',
            maximumFractionDigits: 2,
            signDisplay: 'exceptZero',
          })}
        </small>
      )}
      {isNotable && !invoice?.note && <small>{t('reconciliation.note_asked')}</small>}
    </span>
  )
}
