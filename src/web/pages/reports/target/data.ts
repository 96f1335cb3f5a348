import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { PermissionReply, Tab } from '#shared/api/spreadsheets.ts'
import { client } from '#web/app/client.ts'
import type { Problem } from '#web/app/problem.ts'

/** Where a report writes to. */
export interface Target {
  spreadsheet_url: string
  sheet_name: string
  start_cell: string
}

/** A paste is checked at once; typing when it pauses. */
const PAUSE_MS = 350

/** Asks whether the report may write there; what is found is kept on the person's reports, so those are read again. */
export function usePermissionCheck({ spreadsheet_url, sheet_name }: Target) {
  const queries = useQueryClient()
  const url = usePaused(spreadsheet_url.trim())
  return useQuery<PermissionReply, Problem>({
    queryKey: ['target', 'check', url, sheet_name],
    queryFn: async ({ signal }) => {
      const reply = await client.get<PermissionReply>('/api/ad/gs_permission_check/', {
        query: { spreadsheet_url: url, sheet_name },
        signal,
      })
      void queries.invalidateQueries({ queryKey: ['reports'] })
      // Whoever asks again may have renamed a sheet or made one.
      void queries.invalidateQueries({ queryKey: ['target', 'tabs', url] })
      return reply
    },
    enabled: url !== '',
    staleTime: 0,
    placeholderData: (previous, query) => (query?.queryKey[2] === url ? previous : undefined),
  })
}

/** The sheets of a spreadsheet that can be opened. */
export function useTabs(spreadsheet_url: string, enabled: boolean) {
  const url = spreadsheet_url.trim()
  return useQuery<Tab[], Problem>({
    queryKey: ['target', 'tabs', url],
    queryFn: ({ signal }) =>
      client.get('/api/ad/gs_sheet_name_list/', { query: { spreadsheet_url: url }, signal }),
    enabled,
    staleTime: 0,
  })
}

/** The value, once it has not changed for a moment; at first at once. */
function usePaused(value: string): string {
  const [paused, setPaused] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [value])
  // An emptied field asks for nothing any more.
  return value === '' ? '' : paused
}
