import { useEffect, useEffectEvent, type ComponentProps, type ReactNode } from 'react'
import { Pager } from './pager.tsx'
import styles from './paged-list.module.css'
import { Problem } from './problem.tsx'
import { TableLoading } from './table-loading.tsx'

interface PagedListProps<Row> {
  /** One page of it, as far as it is known. */
  list: {
    data: { count: number; results: readonly Row[] } | undefined
    error: Pick<ComponentProps<typeof Problem>, 'code' | 'request_id'> | null
    /** The rows are of the previous request; the next response is under way. */
    isPlaceholderData: boolean
    refetch: () => unknown
  }
  /** From 1. */
  page: number
  pageSize: number
  onPage: (page: number) => void
  /** What to see where nothing is. */
  empty: ReactNode
  /** Until the first page is there; left out: a table. */
  loading?: ReactNode
  /** Beside the pages. */
  foot?: ReactNode
  children: (rows: readonly Row[], stale: boolean) => ReactNode
}

/** A list that comes page by page: failed, loading, empty or full; below it the way to its other pages. */
export function PagedList<Row>(props: PagedListProps<Row>) {
  const { list, page, pageSize, onPage, empty, loading, foot, children } = props
  const { data, error, isPlaceholderData, refetch } = list
  const count = data?.count ?? 0
  // The last one of the last page is gone, or an old address names a page too many.
  const is_beyond = count > 0 && data?.results.length === 0
  const toLastPage = useEffectEvent(() => onPage(Math.ceil(count / pageSize)))
  useEffect(() => {
    if (is_beyond) toLastPage()
  }, [is_beyond])
  if (error)
    return (
      <div className={styles.problem}>
        <Problem {...error} onRetry={() => void refetch()} />
      </div>
    )
  if (!data || is_beyond) return loading ?? <TableLoading rows={pageSize} />
  if (count === 0) return empty
  return (
    <>
      {children(data.results, isPlaceholderData)}
      <div className={styles.foot}>
        <Pager page={page} pageSize={pageSize} count={count} onPage={onPage} />
        {foot}
      </div>
    </>
  )
}
