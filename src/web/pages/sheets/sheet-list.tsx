import { Button } from '@mantine/core'
import { IconPlus, IconTable } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { SheetSummary } from '#shared/api/sheets.ts'
import { LinkText } from '#web/client/links.tsx'
import { usePageTitle } from '#web/client/page-title.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Card } from '#web/ui/card.tsx'
import { DataTable, type Column } from '#web/ui/data-table.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { TableLoading } from '#web/ui/table-loading.tsx'
import { CreateSheetDialog } from './create-sheet-dialog.tsx'
import { useSheets } from './data.ts'

/** The built-in spreadsheets that this person may see. */
export function SheetList() {
  const { t } = useTranslation('sheets')
  const navigate = useNavigate()
  const [creating, setCreating] = useState(false)
  usePageTitle(t('title'))
  return (
    <>
      <PageHeader
        title={t('title')}
        detail={t('detail')}
        actions={
          <Button leftSection={<IconPlus size={16} />} onClick={() => setCreating(true)}>
            {t('create')}
          </Button>
        }
      />
      <Card padding="flush">
        <SheetTable onCreate={() => setCreating(true)} />
      </Card>
      <CreateSheetDialog
        opened={creating}
        onClose={() => setCreating(false)}
        onCreated={({ id }) => void navigate({ to: '/sheets/$id', params: { id } })}
      />
    </>
  )
}

function SheetTable({ onCreate }: { onCreate: () => void }) {
  const { t } = useTranslation('sheets')
  const sheets = useSheets()
  const columns = useColumns()
  // People without an e-mail address, and products whose spreadsheets are Google's, have none of these.
  if (sheets.error?.code === 'not_found')
    return <EmptyState icon={IconTable} title={t('not_here_title')} detail={t('not_here_detail')} />
  if (sheets.error) return <Problem code={sheets.error.code} onRetry={() => void sheets.refetch()} />
  if (!sheets.data) return <TableLoading rows={5} />
  if (sheets.data.length === 0)
    return (
      <EmptyState
        icon={IconTable}
        title={t('empty_title')}
        detail={t('empty_detail')}
        actions={<Button onClick={onCreate}>{t('create')}</Button>}
      />
    )
  return (
    <DataTable
      label={t('title')}
      columns={columns}
      rows={sheets.data}
      rowKey={sheet => sheet.id}
      rowName={sheet => sheet.title}
    />
  )
}

function useColumns(): Column<SheetSummary>[] {
  const { t } = useTranslation('sheets')
  return [
    {
      key: 'title',
      header: t('column_title'),
      cell: ({ id, title }) => (
        <LinkText to="/sheets/$id" params={{ id }} fw={560}>
          {title}
        </LinkText>
      ),
    },
    {
      key: 'role',
      header: t('column_role'),
      width: '140px',
      cell: ({ role }) => (
        <StatusBadge tone={role === 'owner' ? 'accent' : 'neutral'} label={t(`role.${role}`)} />
      ),
    },
    { key: 'owner', header: t('column_owner'), cell: ({ owner }) => owner, room: 'some' },
    {
      key: 'modified_at',
      header: t('column_modified'),
      width: '180px',
      room: 'some',
      cell: ({ modified_at }) => <RelativeTime at={modified_at} />,
    },
  ]
}
