import { Button, Stack } from '@mantine/core'
import { IconCircleCheck, IconCircleX, IconReportAnalytics } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import { Card } from './card.tsx'
import { CopyButton } from './copy-button.tsx'
import { DataTable } from './data-table.tsx'
import { DateRangeField } from './date-range-field.tsx'
import type { DateRangeValue } from './date-range-rules.ts'
import { EmptyState } from './empty-state.tsx'
import { InlineAlert } from './inline-alert.tsx'
import { MultiSelectField } from './multi-select-field.tsx'
import { PageHeader } from './page-header.tsx'
import { Pager } from './pager.tsx'
import { PasswordField } from './password-field.tsx'
import { Problem } from './problem.tsx'
import { SelectField } from './select-field.tsx'
import { StatusBadge } from './status-badge.tsx'
import { SwitchField } from './switch-field.tsx'
import { TableLoading } from './table-loading.tsx'
import { TextAreaField } from './text-area-field.tsx'
import { TextField } from './text-field.tsx'
import { TimeOfDayField } from './time-of-day-field.tsx'
import { Toast } from './toast.tsx'

const nothing = () => {}

/** Every widget in its states. */
export function Gallery() {
  return (
    <Stack gap="lg" p="lg" maw={900}>
      <PageHeader title="Widgets" detail="Each in its states." actions={<Button>Action</Button>} />
      <Fields />
      <Pickers />
      <Tables />
      <States />
    </Stack>
  )
}

function Fields() {
  const [text, setText] = useState('Weekly numbers')
  const [on, setOn] = useState(true)
  return (
    <Part title="Fields">
      <TextField label="Name" value={text} onChange={setText} required hint="Seen by everybody" />
      <TextField
        label="Starting cell"
        value="1A"
        onChange={nothing}
        error="Please enter the correct cell format."
      />
      <TextField label="Disabled" value="Not to be changed" onChange={nothing} disabled />
      <PasswordField label="Password" value="secret" onChange={nothing} autoComplete="current-password" />
      <TextAreaField label="Description" value={text} onChange={setText} />
      <SwitchField label="Fill with 0" hint="Where a combination has no data" checked={on} onChange={setOn} />
    </Part>
  )
}

const accounts = Array.from({ length: 1000 }, (_, index) => ({
  value: index,
  label: `Account ${index}`,
  group: `Advertiser ${Math.floor(index / 25)}`,
  note: String(10_100_000 + index),
  disabled: index % 40 === 7 ? 'No access' : null,
}))

function Pickers() {
  const [chosen, setChosen] = useState<readonly number[]>([0, 1, 2, 3, 4])
  const [range, setRange] = useState<DateRangeValue>({
    start: '2026-11-01',
    end: '2026-11-12',
    dynamic_range: 0,
  })
  const [time, setTime] = useState('09:00:00')
  const [tab, setTab] = useState('data')
  return (
    <Part title="Pickers">
      <DateRangeField
        label="Dates"
        value={range}
        onChange={setRange}
        today="2026-11-20"
        minimum="2024-11-20"
        required
      />
      <TimeOfDayField label="Time" value={time} onChange={setTime} />
      <SelectField
        label="Tab"
        searchable
        value={tab}
        onChange={setTab}
        options={['data', 'summary', 'raw'].map(value => ({ value, label: value }))}
      />
      <MultiSelectField label="Accounts" options={accounts} value={chosen} onChange={setChosen} required />
      <MultiSelectField
        label="None chosen"
        options={[]}
        value={[]}
        onChange={nothing}
        placeholder="Choose"
        error="Please choose one."
      />
      <CopyButton text="sheetcast@example.iam.gserviceaccount.com" />
    </Part>
  )
}

const rows = Array.from({ length: 4 }, (_, index) => ({
  id: index,
  name: `Report ${index}`,
  rows: 4218 * index,
}))

function Tables() {
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set([1]))
  const [ordering, setOrdering] = useState('-name')
  const [page, setPage] = useState(4)
  return (
    <>
      <Card title="Table" padding="flush">
        <DataTable
          label="Reports"
          columns={[
            { key: 'name', header: 'Name', sort: 'name', cell: row => row.name },
            { key: 'rows', header: 'Rows', sort: 'rows', align: 'end', cell: row => row.rows },
          ]}
          rows={rows}
          rowKey={row => row.id}
          rowName={row => row.name}
          selection={{ selected, onChange: setSelected }}
          ordering={ordering}
          onOrdering={setOrdering}
        />
        <Pager page={page} page_size={10} count={118} onPage={setPage} />
      </Card>
      <Card title="Loading" padding="flush">
        <TableLoading rows={3} />
      </Card>
    </>
  )
}

function States() {
  return (
    <Part title="States">
      <EmptyState
        icon={IconReportAnalytics}
        title="No reports yet"
        detail="Make the first one."
        actions={<Button>New report</Button>}
      />
      <InlineAlert severity="info">For your information.</InlineAlert>
      <InlineAlert severity="success" title="Done">
        It worked.
      </InlineAlert>
      <Problem code="quota_exhausted" />
      <Problem code="spreadsheet_not_shared" offers={{ share_spreadsheet: nothing }} />
      <Problem code="unreachable" onRetry={nothing} />
      <div>
        <StatusBadge tone="good" icon={IconCircleCheck} label="Completed" />{' '}
        <StatusBadge tone="bad" icon={IconCircleX} label="Error" />{' '}
        <StatusBadge tone="warn" label="Page not set" /> <StatusBadge tone="accent" label="Running" />{' '}
        <StatusBadge tone="neutral" label="Inactive" />
      </div>
      {(['info', 'success', 'warning', 'warning_long', 'error'] as const).map(severity => (
        <Toast
          key={severity}
          severity={severity}
          message="The report has been executed."
          sub_message={['42,180 rows. ', { text: 'Open spreadsheet', to: '/sheets' }]}
          duration={0}
          onClose={nothing}
        />
      ))}
    </Part>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card title={title}>
      <Stack gap="md">{children}</Stack>
    </Card>
  )
}
