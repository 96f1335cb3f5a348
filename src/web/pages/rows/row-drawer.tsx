import type { ReactNode } from 'react'
import type { Problem as Refused } from '#web/client/problem.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { TableLoading } from '#web/ui/table-loading.tsx'

interface RowDrawerProps<Row> {
  query: { data: Row | undefined; error: Refused | null }
  /** What it is called while it is loading, and the label of its button. */
  title: string
  submit: string
  size: number
  onClose: () => void
  children: (row: Row) => ReactNode
}

/** The form of a row beside its list; it opens at once, also while the row is still loading. */
export function RowDrawer<Row>({ query, title, submit, size, onClose, children }: RowDrawerProps<Row>) {
  if (query.data !== undefined) return children(query.data)
  return (
    <FormDialog
      opened
      side
      size={size}
      title={title}
      submit={submit}
      loading={false}
      disabled
      onSubmit={onClose}
      onClose={onClose}
    >
      {query.error ? <Problem code={query.error.code} audience="internal" /> : <TableLoading rows={4} />}
    </FormDialog>
  )
}
