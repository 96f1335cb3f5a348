import { Button } from '@mantine/core'
import { IconReportAnalytics } from '@tabler/icons-react'
import { useState } from 'react'
import { Card } from '#web/ui/card.tsx'
import { DataTable } from '#web/ui/data-table.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Pager } from '#web/ui/pager.tsx'
import { TableLoading } from '#web/ui/table-loading.tsx'
import { useWords } from './words.ts'

const rows = Array.from({ length: 4 }, (_, at) => ({ id: at, name: `Aurora ${at + 1}`, rows: 4218 * at }))

export function Tables() {
  const say = useWords()
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set([1]))
  const [ordering, setOrdering] = useState('-name')
  const [page, setPage] = useState(4)
  return (
    <>
      <Card title={say('Table', '表格')} padding="flush">
        <DataTable
          label={say('Reports', '報表')}
          columns={[
            { key: 'name', header: say('Name', '名稱'), sort: 'name', cell: row => row.name },
            { key: 'rows', header: say('Rows', '列數'), sort: 'rows', align: 'end', cell: row => row.rows },
          ]}
          rows={rows}
          rowKey={row => row.id}
          rowName={row => row.name}
          selection={{ selected, onChange: setSelected }}
          ordering={ordering}
          onOrdering={setOrdering}
        />
        <Pager page={page} pageSize={10} count={118} onPage={setPage} />
      </Card>
      <Card title={say('Table, on its way', '表格，載入中')} padding="flush">
        <TableLoading rows={3} />
      </Card>
      <Card title={say('Table, empty', '表格，沒有資料')}>
        <EmptyState
          icon={IconReportAnalytics}
          title={say('No reports yet', '尚無報表')}
          detail={say('Make the first one.', '建立第一份報表。')}
          actions={<Button>{say('New report', '新增報表')}</Button>}
        />
      </Card>
    </>
  )
}
