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
  /** Search and filters; all of what they say stands in the address. */
  toolbar: ReactNode
  /** How wide each of them is: a class of the page. */
  toolbarClass?: string | undefined
  /** Between the toolbar and the rows, such as what can be done with the selected ones. */
  above?: ReactNode
  /** Where the whole list can be had as a file. */
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
  /** What the button says that takes the filters away. */
  clear: string
  onClear: () => void
}

/** In the place of a list of which the filters leave nothing. */
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
