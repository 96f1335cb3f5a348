import { Button } from '@mantine/core'
import { IconAdjustmentsDollar, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import type { Adjustment, BillingMonth, Statement } from '#shared/api/ec-spend.ts'
import { channelNames } from '#shared/channels/catalogue.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ActionMenu } from '#web/ui/action-menu.tsx'
import { Card } from '#web/ui/card.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { DataTable, type Column } from '#web/ui/data-table.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { monthText } from '#web/ui/month.ts'
import { ProblemText } from '#web/ui/problem-text.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { TableLoading } from '#web/ui/table-loading.tsx'
import { AdjustmentForm } from './adjustment-form.tsx'
import { useAdjustments, useDeleteAdjustment } from './data.ts'
import { Money } from './money.tsx'
import styles from './month.module.css'

interface AdjustmentsProps {
  month: BillingMonth
  statements: readonly Statement[]
}

type Opened = { kind: 'edit'; adjustment: Adjustment | null } | { kind: 'delete'; adjustment: Adjustment }

/** What is added to or taken off the media of a month. */
export function Adjustments({ month, statements }: AdjustmentsProps) {
  const { t } = useTranslation('closing')
  const { data, error, refetch } = useAdjustments(month.month)
  const [opened, setOpened] = useState<Opened | null>(null)
  const close = () => setOpened(null)
  const isOpen = month.state === 'open'
  return (
    <Card
      padding="flush"
      title={t('tab.adjustments')}
      actions={
        isOpen && (
          <Button
            size="xs"
            leftSection={<IconPlus size={14} stroke={1.8} />}
            onClick={() => setOpened({ kind: 'edit', adjustment: null })}
          >
            {t('adjustment.add')}
          </Button>
        )
      }
    >
      {error && !data ? (
        <Problem code={error.code} onRetry={() => void refetch()} />
      ) : !data ? (
        <TableLoading rows={4} />
      ) : data.length === 0 ? (
        <EmptyState
          icon={IconAdjustmentsDollar}
          title={t('adjustment.none')}
          detail={isOpen ? t('adjustment.none_detail') : undefined}
        />
      ) : (
        <AdjustmentTable adjustments={data} onOpen={isOpen ? setOpened : null} />
      )}
      {opened?.kind === 'edit' && (
        <AdjustmentForm
          month={month.month}
          statements={statements}
          adjustment={opened.adjustment}
          onClose={close}
        />
      )}
      {opened?.kind === 'delete' && <DeleteDialog adjustment={opened.adjustment} onClose={close} />}
    </Card>
  )
}

interface AdjustmentTableProps {
  adjustments: readonly Adjustment[]
  /** null: the month is locked. */
  onOpen: ((opened: Opened) => void) | null
}

function AdjustmentTable({ adjustments, onOpen }: AdjustmentTableProps) {
  const { t, language } = useTranslation('closing')
  const columns: Column<Adjustment>[] = [
    {
      key: 'advertiser',
      header: t('column.advertiser'),
      cell: ({ advertiser_name, channel }) => (
        <>
          {advertiser_name}
          <small className={styles.quiet}>{channelNames[channel][language]}</small>
        </>
      ),
    },
    {
      key: 'amount',
      header: t('column.amount'),
      align: 'end',
      cell: ({ amount, currency }) => (
        <>
          <Money amount={amount} currency={currency} signed />{' '}
          <span className={styles.currency}>{currency}</span>
        </>
      ),
    },
    {
      key: 'reason',
      header: t('column.reason'),
      room: 'some',
      narrow: true,
      cell: ({ reason, month, concerns_month }) => (
        <>
          {t(`reason.${reason}`)}
          {concerns_month !== month && (
            <small className={styles.quiet}>
              {t('adjustment.concerns', { month: monthText(concerns_month, language) })}
            </small>
          )}
        </>
      ),
    },
    {
      key: 'note',
      header: t('column.note'),
      room: 'much',
      narrow: true,
      cell: ({ note }) => note,
    },
  ]
  const menu: Column<Adjustment> = {
    key: 'menu',
    header: t('column.edit'),
    width: '64px',
    align: 'end',
    cell: adjustment => onOpen && <AdjustmentMenu adjustment={adjustment} onOpen={onOpen} />,
  }
  return (
    <DataTable
      label={t('tab.adjustments')}
      columns={onOpen ? [...columns, menu] : columns}
      rows={adjustments}
      rowKey={({ id }) => id}
      rowName={({ advertiser_name }) => advertiser_name}
    />
  )
}

function AdjustmentMenu({
  adjustment,
  onOpen,
}: {
  adjustment: Adjustment
  onOpen: (opened: Opened) => void
}) {
  const { t } = useTranslation('closing')
  return (
    <ActionMenu
      label={t('adjustment.menu', { advertiser: adjustment.advertiser_name })}
      actions={[
        {
          key: 'edit',
          label: t('adjustment.edit'),
          icon: IconPencil,
          // What was booked from a change of a platform is taken back as a whole.
          disabled: adjustment.reason === 'drift',
          onClick: () => onOpen({ kind: 'edit', adjustment }),
        },
        {
          key: 'delete',
          label: t('adjustment.delete'),
          icon: IconTrash,
          tone: 'danger',
          onClick: () => onOpen({ kind: 'delete', adjustment }),
        },
      ]}
    />
  )
}

function DeleteDialog({ adjustment, onClose }: { adjustment: Adjustment; onClose: () => void }) {
  const { t } = useTranslation('closing')
  const remove = useDeleteAdjustment()
  return (
    <ConfirmDialog
      opened
      title={t('adjustment.delete_title')}
      detail={t('adjustment.delete_detail', { advertiser: adjustment.advertiser_name })}
      confirm={t('adjustment.delete')}
      tone="danger"
      loading={remove.isPending}
      problem={remove.error && <ProblemText code={remove.error.code} audience="internal" />}
      onConfirm={() => remove.mutate(adjustment, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}
