import { IconCircleCheck } from '@tabler/icons-react'
import type { Operations } from '#shared/api/operations.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { DataTable, type Column } from '#web/ui/data-table.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { waitText } from './wait-text.ts'

type Quota = Operations['quotas'][number]

const whyOf = ({ is_paused, wait_ms }: Quota) => (is_paused ? 'told' : wait_ms > 0 ? 'own' : 'full')

/** Quotas that currently let no request through. */
export function QuotaTable({ quotas }: { quotas: readonly Quota[] }) {
  const { t } = useTranslation('operations')
  const columns: Column<Quota>[] = [
    { key: 'scope', header: t('quotas.scope'), cell: ({ scope }) => <code>{scope}</code> },
    {
      key: 'wait',
      header: t('quotas.wait'),
      width: '110px',
      cell: ({ wait_ms }) => (wait_ms > 0 ? waitText(t, wait_ms) : '–'),
    },
    {
      key: 'runs',
      header: t('quotas.runs'),
      room: 'some',
      width: '110px',
      cell: ({ runs_waiting }) => runs_waiting || '–',
    },
    {
      key: 'why',
      header: t('quotas.why'),
      room: 'some',
      cell: quota => t(`quotas.${whyOf(quota)}`),
    },
  ]
  if (quotas.length === 0) return <EmptyState icon={IconCircleCheck} title={t('quotas.none')} />
  return (
    <DataTable
      label={t('quotas.title')}
      columns={columns}
      rows={quotas}
      rowKey={({ scope }) => scope}
      rowName={({ scope }) => scope}
    />
  )
}
