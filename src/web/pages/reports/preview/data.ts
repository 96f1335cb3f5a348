import {
  keepPreviousData,
  queryOptions,
  useQuery,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import type { Preview } from '#shared/api/preview.ts'
import { client } from '#web/client/client.ts'
import type { Problem } from '#web/client/problem.ts'
import type { Editor } from '#web/pages/reports/editor/use-editor.ts'
import { requestKey, bodyOf, missingIn, type PreviewBody } from './request.ts'

/**
 * A change that needs a request to a platform is debounced; a change of arrangement alone is sent at once,
 * and while one is under way after a short pause.
 */
const PAUSE_MS = 600
const SHORT_PAUSE_MS = 40
/** As long as the server considers a response fresh. */
const FRESH_MS = 60_000
const MOST_TRIES = 5
const PREVIEW = 'preview'

export type PreviewState = ReturnType<typeof usePreview>
type Described = Pick<Editor, 'draft' | 'base'>

/**
 * Sends a change of arrangement as soon as it is made, while the page is drawn, as `usePrefetchQuery` would:
 * what shows the table is drawn later, when the response may already be there.
 */
export function usePreviewAhead(editor: Described) {
  const queries = useQueryClient()
  const { key, request, missing } = useDescription(editor)
  if (missing.length > 0 || !isAnswered(queries, request)) return
  if (queries.isFetching({ queryKey: [PREVIEW] }) === 0)
    void queries.prefetchQuery(previewQuery({ key, request }))
}

/** The table that the draft would write; while it is loading, the previous one. */
export function usePreview(editor: Described) {
  const { missing, ...described } = useDescription(editor)
  const settled = useSettled(described)
  const enabled = missing.length === 0
  const query = useQuery({ ...previewQuery(settled), enabled, placeholderData: keepPreviousData })
  const is_behind = enabled && (settled.is_behind || query.isFetching)
  return {
    missing,
    preview: enabled ? (query.data ?? null) : null,
    problem: enabled && !query.isFetching ? query.error : null,
    /** The rows are of an earlier draft, or there are none yet and they are loading. */
    is_behind,
    refresh: () => void query.refetch(),
  }
}

interface Description {
  /** The body of the request. */
  key: string
  /** What platforms are queried with. */
  request: string
}

function useDescription({ draft, base }: Described): Description & { missing: ReturnType<typeof missingIn> } {
  const report = base?.id ?? null
  return useMemo(() => {
    const body = bodyOf(draft, report)
    return { key: JSON.stringify(body), request: requestKey(body), missing: missingIn(draft) }
  }, [draft, report])
}

const previewQuery = ({ key, request }: Description) =>
  queryOptions<Preview, Problem>({
    queryKey: [PREVIEW, request, key],
    queryFn: ({ signal }) =>
      client.post('/api/gs-template-setting/preview/', { body: JSON.parse(key) as PreviewBody, signal }),
    meta: { asks_platform: true },
    staleTime: FRESH_MS,
    // Two at once are allowed; fast typing would send a third.
    retry: (failures, { status }) => failures < MOST_TRIES && (status === 429 || status === 503),
  })

/** Whether the server has the platforms' responses, as far as is known here. */
const isAnswered = (queries: QueryClient, request: string) =>
  queries.getQueriesData({ queryKey: [PREVIEW, request] }).some(([, preview]) => preview !== undefined)

function useSettled({ key, request }: Description) {
  const queries = useQueryClient()
  const [settled, setSettled] = useState({ key, request })
  const is_behind = settled.key !== key
  // It was sent ahead.
  if (is_behind && queries.getQueryState([PREVIEW, request, key])) setSettled({ key, request })
  useEffect(() => {
    if (!is_behind) return undefined
    const timer = setTimeout(
      () => setSettled({ key, request }),
      isAnswered(queries, request) ? SHORT_PAUSE_MS : PAUSE_MS,
    )
    return () => clearTimeout(timer)
  }, [queries, key, request, is_behind])
  return { ...settled, is_behind }
}
