import type { ConnectorContext } from '#server/connectors/connector.ts'

/** The pages of one list. */
export interface PageReader<ListPage> {
  first: () => Promise<ListPage>
  /** Requests the page after this one; null after the last. Throws for a page that cannot be what it says. */
  next: (page: ListPage) => Promise<ListPage> | null
}

/**
 * A list, page by page; each page is requested while the one before is being read. A request that is still
 * under way when the reader leaves is cancelled.
 */
export async function* readAhead<ListPage, Context extends Pick<ConnectorContext, 'signal'>>(
  context: Context,
  readerIn: (context: Context) => PageReader<ListPage>,
): AsyncGenerator<ListPage> {
  const stop = new AbortController()
  const signal = AbortSignal.any([context.signal, stop.signal])
  const { first, next } = readerIn({ ...context, signal })
  try {
    yield* pagesFrom(first(), next)
  } finally {
    stop.abort()
  }
}

/** The same for a list whose first page is requested already, and which the caller cancels itself. */
export async function* pagesFrom<ListPage>(
  first: Promise<ListPage>,
  next: PageReader<ListPage>['next'],
): AsyncGenerator<ListPage> {
  for (let pending: Promise<ListPage> | null = first; pending !== null;) {
    const page: ListPage = await pending
    pending = next(page)
    // It may fail before it is awaited.
    pending?.catch(() => {})
    yield page
  }
}
