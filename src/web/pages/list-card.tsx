import { Button } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import type { ComponentProps, ReactNode } from 'react'
import type { Query } from '#web/client/http.ts'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PagedList } from '#web/ui/paged-list.tsx'
import { CsvButton } from './csv-button.tsx'
import styles from './list-card.module.css'

interface ListCardProps<Row> extends Omit<ComponentProps<typeof PagedList<Row>>, 'foot'> {
  /** Search and filters; all of them are in the URL. */
  toolbar: ReactNode
  /** Their widths: a class of the page. */
  toolbarClass?: string | undefined
  /** Between the toolbar and the rows, such as what can be done with the selected ones. */
  above?: ReactNode
  /** The endpoint that returns the whole list as a file. */
  csv?: { path: string; filters: Query }
}

/**
 * What every list page is: search and filters, the rows page by page with their four states, and the whole of
 * it as a file.
 */
export function ListCard<Row>({ toolbar, toolbarClass, above, csv, ...list }: ListCardProps<Row>) {
  return (
    <Card padding="flush">
      <div className={[styles.toolbar, toolbarClass].filter(Boolean).join(' ')} role="search">
        {toolbar}
      </div>
      {above}
      <PagedList {...list} foot={csv && <CsvButton {...csv} />} />
    </Card>
  )
}

interface NothingFoundProps {
  title: string
  detail?: string
  /** The label of the button that clears the filters. */
  clear: string
  onClear: () => void
}

/** Shown instead of a list when the filters match nothing. */
export function NothingFound({ clear, onClear, ...texts }: NothingFoundProps) {
  return (
    <EmptyState
      icon={IconSearch}
      {...texts}
      actions={
        <Button variant="default" onClick={onClear}>
          {clear}
        </Button>
      }
    />
  )
}
