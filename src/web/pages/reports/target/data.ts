import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { TargetSheet } from '#shared/api/targets.ts'
import type {
  CreatedSpreadsheet,
  CreateSpreadsheet,
  PermissionReply,
  RecentSpreadsheets,
  Tab,
} from '#shared/api/spreadsheets.ts'
import { parseStartCell } from '#shared/cell.ts'
import { parseSpreadsheetUrl } from '#shared/spreadsheet-url.ts'
import { clickKey } from '#web/client/click-key.ts'
import { client } from '#web/client/client.ts'
import type { Problem } from '#web/client/problem.ts'
import { addressIn } from '#web/pages/reports/spreadsheet-link.ts'
import { isFileFine } from './target-state.ts'

/** Where a report writes to. */
export interface Target {
  spreadsheet_url: string
  sheet_name: string
  start_cell: string
}

/** The saved target, with the tab that was written to last. */
export type SavedTarget = Target & { id: number; sheet_id: number | null }

/** A paste is checked at once; typing when it pauses. */
const PAUSE_MS = 350

/**
 * Checks whether the report may write there; the result is stored on the person's reports, so those are read
 * again.
 */
export function usePermissionCheck(
  { spreadsheet_url, sheet_name }: Target,
  { saved, advertiser }: { saved: SavedTarget | null; advertiser: number | null },
) {
  const queries = useQueryClient()
  const entered = addressIn(spreadsheet_url)
  const paused = usePaused(entered)
  // What was checked before it was entered is not paused for: a spreadsheet that was just created.
  const isKnown = queries.getQueryData(checkKey(entered, { sheet_name, sheet_id: null, advertiser }))
  const url = isKnown === undefined ? paused : entered
  // A tab that was renamed is known by its id, but only while nobody has chosen another one.
  const isSaved =
    saved !== null && addressIn(saved.spreadsheet_url) === url && saved.sheet_name === sheet_name
  const sheet_id = isSaved ? saved.sheet_id : null
  const keyOf = (address: string) => checkKey(address, { sheet_name, sheet_id, advertiser })
  const query = useQuery<PermissionReply, Problem>({
    queryKey: keyOf(url),
    queryFn: async ({ signal }) => {
      const before = queries.getQueryData<PermissionReply>(keyOf(url))
      const reply = await client.get<PermissionReply>('/api/ad/gs_permission_check/', {
        query: { spreadsheet_url: url, sheet_name, sheet_id, advertiser },
        signal,
      })
      const { spreadsheet_url: found, ...rest } = reply
      // The field is about to show the address that was found in it.
      if (found !== undefined) queries.setQueryData<PermissionReply>(keyOf(found), rest)
      // The result is stored on the reports; one that is repeated while it fails changes none.
      if (before?.result !== reply.result || reply.result === 'ok')
        void queries.invalidateQueries({ queryKey: ['reports'] })
      // Since the last check somebody may have renamed or created a tab, or moved what was in the way.
      if (isFileFine(reply.result)) {
        void queries.invalidateQueries({ queryKey: ['target', 'tabs', url] })
        void queries.invalidateQueries({ queryKey: ['target', 'place', url] })
      }
      return reply
    },
    enabled: url !== '',
    meta: { asks_platform: true },
    staleTime: 0,
    placeholderData: (previous, other) => (other?.queryKey[2] === url ? previous : undefined),
  })
  return { ...query, url }
}

const checkKey = (
  url: string,
  {
    sheet_name,
    sheet_id,
    advertiser,
  }: { sheet_name: string; sheet_id: number | null; advertiser: number | null },
) => ['target', 'check', url, sheet_name, sheet_id, advertiser]

/**
 * Creates a spreadsheet that the report can write to. A click that failed is repeated with its key, so that
 * it finds what the first one may have created.
 */
export function useCreateSpreadsheet(onCreated: (created: CreatedSpreadsheet) => void) {
  const queries = useQueryClient()
  const [key, setKey] = useState(clickKey)
  return useMutation<CreatedSpreadsheet, Problem, CreateSpreadsheet>({
    mutationFn: body => client.post('/api/ad/gs_spreadsheet/', { body, headers: { 'idempotency-key': key } }),
    onSuccess(created) {
      setKey(clickKey())
      const { spreadsheet_url, sheet_name, check } = created
      queries.setQueryData<PermissionReply>(
        checkKey(spreadsheet_url, { sheet_name, sheet_id: null, advertiser: null }),
        check,
      )
      onCreated(created)
    },
  })
}

/** The person's spreadsheets whose title contains the text, last used first. */
export function useRecentSpreadsheets(search: string) {
  const [term] = useDebouncedValue(search.trim(), PAUSE_MS)
  return useQuery<RecentSpreadsheets, Problem>({
    queryKey: ['target', 'recent', term],
    queryFn: ({ signal }) => client.get('/api/ad/gs_spreadsheet/', { query: { search: term }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
}

/** Shares a built-in spreadsheet of one's own with the system user. */
export function useShareWithSystemUser(spreadsheet_url: string, onShared: () => void) {
  const { spreadsheet_id = '' } = parseSpreadsheetUrl(spreadsheet_url, 'any') ?? {}
  return useMutation<null, Problem, { system_user: string }>({
    mutationFn: ({ system_user: email }) =>
      client.post(`/api/sheets/${spreadsheet_id}/share/`, { body: { email, role: 'writer' } }),
    onSuccess: onShared,
  })
}

/** The tabs of a spreadsheet that can be opened. */
export function useTabs(spreadsheet_url: string, enabled: boolean) {
  const url = addressIn(spreadsheet_url)
  return useQuery<Tab[], Problem>({
    queryKey: ['target', 'tabs', url],
    queryFn: ({ signal }) =>
      client.get('/api/ad/gs_sheet_name_list/', { query: { spreadsheet_url: url }, signal }),
    enabled,
    meta: { asks_platform: true },
    staleTime: 0,
  })
}

/** The account that spreadsheets are shared with; requested before a spreadsheet is named. */
export function useSystemUser() {
  return useQuery<string, Problem>({
    queryKey: ['target', 'system_user'],
    queryFn: async ({ signal }) => {
      const query = { spreadsheet_url: '-' }
      return (await client.get<PermissionReply>('/api/ad/gs_permission_check/', { query, signal }))
        .system_user
    },
    staleTime: Infinity,
  })
}

/** Creates a tab; the response is the tab with its name. */
export function useAddSheet(spreadsheet_url: string, onAdded: (tab: Tab) => void) {
  const queries = useQueryClient()
  const url = addressIn(spreadsheet_url)
  return useMutation<Tab, Problem, { title: string }>({
    mutationFn: ({ title }) => client.post('/api/ad/gs_sheet/', { body: { spreadsheet_url: url, title } }),
    onSuccess(tab) {
      queries.setQueryData<Tab[]>(['target', 'tabs', url], tabs => [...(tabs ?? []), tab])
      onAdded(tab)
    },
  })
}

/** What is on the tab; a tab is requested once, wherever on it the table begins. */
export function useTargetSheet(
  { spreadsheet_url, sheet_name, start_cell }: Target,
  { report, enabled }: { report: number | null; enabled: boolean },
) {
  const url = addressIn(spreadsheet_url)
  const around = usePaused(isFar(start_cell) ? start_cell.trim() : 'A1')
  return useQuery<TargetSheet, Problem>({
    queryKey: ['target', 'place', url, sheet_name, around, report],
    queryFn: ({ signal }) =>
      client.get('/api/ad/gs_place/', {
        query: { spreadsheet_url: url, sheet_name, start_cell: around, report },
        signal,
      }),
    enabled,
    meta: { asks_platform: true },
    placeholderData: (previous, query) =>
      query?.queryKey[2] === url && query.queryKey[3] === sheet_name ? previous : undefined,
    // Many editors share the rate limit of the spreadsheet service: the request waits for its permit.
    retry: (failures, { status }) => status === 503 && failures < MOST_TRIES,
    retryDelay: (failures, { retry_after_ms }) => Math.min(retry_after_ms ?? 1000 * 2 ** failures, 20_000),
  })
}

const MOST_TRIES = 6

/** Beyond the area that the server reads when the beginning of the tab is meant. */
function isFar(start_cell: string): boolean {
  const cell = parseStartCell(start_cell)
  return typeof cell !== 'string' && (cell.row >= 500 || cell.column >= 50)
}

/** The value, once it has not changed for a moment; at first at once. */
function usePaused(value: string): string {
  const [paused] = useDebouncedValue(value, PAUSE_MS)
  // An emptied field sends no more requests.
  return value === '' ? '' : paused
}
