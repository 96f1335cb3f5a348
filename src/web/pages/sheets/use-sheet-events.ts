import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import type { SpreadsheetEvent } from '#shared/api/sheets.ts'
import { listenToSpreadsheet } from '#web/client/live.ts'

/** What has just been requested is not requested again when the stream opens. */
const FRESH_MS = 3000

/**
 * Keeps an open spreadsheet up to date while reports write to it. The shown cells stay until the new ones are
 * there, and so do scroll position and selection. Returns when a report wrote last; null: not since it was
 * opened.
 */
export function useSheetEvents(id: string): string | null {
  const queries = useQueryClient()
  const [written, setWritten] = useState<{ id: string; at: string } | null>(null)
  const reload = useCallback(async () => {
    await queries.invalidateQueries({ queryKey: ['sheets', id] })
    setWritten({ id, at: new Date().toISOString() })
  }, [queries, id])
  useEffect(
    () =>
      listenToSpreadsheet(id, {
        onOpen() {
          const from = Date.now() - FRESH_MS
          const predicate = ({ state }: { state: { dataUpdatedAt: number } }) => state.dataUpdatedAt < from
          void queries.invalidateQueries({ queryKey: ['sheets', id], predicate }, { cancelRefetch: false })
        },
        onEvent({ event, data }) {
          if (event !== 'spreadsheet') return
          const { spreadsheet }: SpreadsheetEvent = JSON.parse(data)
          if (spreadsheet === id) void reload()
        },
      }),
    [queries, id, reload],
  )
  return written?.id === id ? written.at : null
}
