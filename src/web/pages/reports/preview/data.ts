import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import type { Preview } from '#shared/api/preview.ts'
import { client } from '#web/client/client.ts'
import type { Problem } from '#web/client/problem.ts'
import type { Editor } from '#web/pages/reports/editor/use-editor.ts'
import { requestKey, bodyOf, missingIn, type PreviewBody } from './request.ts'

/**
 * A change that needs a request to a platform is debounced; a change of arrangement alone is sent at once.
 */
const PAUSE_MS = 600
const SHORT_PAUSE_MS = 40
/** As long as the server considers a response fresh. */
const FRESH_MS = 60_000
const MOST_TRIES = 5

export type PreviewState = ReturnType<typeof usePreview>

/** The table that the draft would write; while it is loading, the previous one. */
export function usePreview({ draft, base }: Pick<Editor, 'draft' | 'base'>) {
  const report = base?.id ?? null
  const body = useMemo(() => bodyOf(draft, report), [draft, report])
  const missing = useMemo(() => missingIn(draft), [draft])
  const settled = useSettledBody(body)
  const enabled = missing.length === 0
  const query = useQuery<Preview, Problem>({
    queryKey: ['preview', settled.key],
    queryFn: ({ signal }) => client.post('/api/gs-template-setting/preview/', { body: settled.body, signal }),
    enabled,
    staleTime: FRESH_MS,
    placeholderData: keepPreviousData,
    // Two at once are allowed; fast typing would send a third.
    retry: (failures, { status }) => failures < MOST_TRIES && (status === 429 || status === 503),
  })
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

function useSettledBody(body: PreviewBody) {
  const key = useMemo(() => JSON.stringify(body), [body])
  const [settled, setSettled] = useState({ key, body })
  const is_behind = settled.key !== key
  const isNewRequest = is_behind && requestKey(settled.body) !== requestKey(body)
  useEffect(() => {
    if (!is_behind) return undefined
    const timer = setTimeout(
      () => setSettled({ key, body: JSON.parse(key) as PreviewBody }),
      isNewRequest ? PAUSE_MS : SHORT_PAUSE_MS,
    )
    return () => clearTimeout(timer)
  }, [key, is_behind, isNewRequest])
  return { ...settled, is_behind }
}
