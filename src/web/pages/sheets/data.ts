import { useMutation, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import type {
  CreateNamedRange,
  CreateSheet,
  ShareSheet,
  Sheet,
  SheetSummary,
  SheetTab,
  SheetValues,
} from '#shared/api/sheets.ts'
import { client } from '#web/client/client.ts'
import { download } from '#web/client/download.ts'
import { asProblem, type Problem } from '#web/client/problem.ts'
import { BLOCK_COLUMNS, BLOCK_ROWS, type Block } from './grid-window.ts'

export const useSheets = () =>
  useQuery<SheetSummary[], Problem>({
    queryKey: ['sheets', 'list'],
    queryFn: ({ signal }) => client.get('/api/sheets/', { signal }),
  })

export const useSheet = (id: string) =>
  useQuery<Sheet, Problem>({
    queryKey: ['sheets', id],
    queryFn: ({ signal }) => client.get(`/api/sheets/${id}/`, { signal }),
  })

/** Reloads a spreadsheet and everything that is shown of it. */
export function useReload(id: string) {
  const queries = useQueryClient()
  return () => queries.invalidateQueries({ queryKey: ['sheets', id] })
}

export interface LoadedBlocks {
  /** What a cell shows; null while it is loading. */
  textAt: (row: number, column: number) => string | null
  /** How it looks, as SheetValues says. */
  lookAt: (row: number, column: number) => number
  problem: Problem | null
}

/**
 * The blocks of a tab that are in view. A block is cached while the tab is open, and requested again when it
 * was in view a while ago.
 */
export function useBlocks(id: string, tab: SheetTab, blocks: readonly Block[]): LoadedBlocks {
  const results = useQueries({
    queries: blocks.map(({ row, column }) => ({
      queryKey: ['sheets', id, 'values', tab.gid, row, column] as const,
      staleTime: 60_000,
      // The service limits requests by the minute; the only way is to wait for the next one.
      retry: (failures: number, error: Error) => failures < 8 && asProblem(error).code === 'rate_limited',
      queryFn: ({ signal }: { signal: AbortSignal }): Promise<SheetValues> =>
        client.get(`/api/sheets/${id}/values/`, {
          signal,
          query: {
            gid: tab.gid,
            title: tab.title,
            first_row: row * BLOCK_ROWS,
            rows: Math.min(BLOCK_ROWS, tab.rows - row * BLOCK_ROWS),
            first_column: column * BLOCK_COLUMNS,
            columns: Math.min(BLOCK_COLUMNS, tab.columns - column * BLOCK_COLUMNS),
          },
        }),
    })),
  })
  const queries = useQueryClient()
  const loaded = new Map(blocks.map(({ row, column }, index) => [`${row} ${column}`, results[index]?.data]))
  const failed = results.find(result => result.error)?.error
  const blockOf = (row: number, column: number) => {
    const [block_row, block_column] = [Math.floor(row / BLOCK_ROWS), Math.floor(column / BLOCK_COLUMNS)]
    return (
      loaded.get(`${block_row} ${block_column}`) ??
      // Not being requested at the moment, but cached from before.
      queries.getQueryData<SheetValues>(['sheets', id, 'values', tab.gid, block_row, block_column])
    )
  }
  return {
    textAt(row, column) {
      const block = blockOf(row, column)
      return block ? (block.values[row % BLOCK_ROWS]?.[column % BLOCK_COLUMNS] ?? '') : null
    },
    lookAt(row, column) {
      const digit = blockOf(row, column)?.looks[row % BLOCK_ROWS]?.[column % BLOCK_COLUMNS]
      return digit === undefined ? 0 : Number.parseInt(digit, 16)
    },
    problem: failed ? asProblem(failed) : null,
  }
}

export function useCreateSheet(onCreated: (sheet: SheetSummary) => void) {
  const queries = useQueryClient()
  return useMutation<SheetSummary, Problem, z.infer<typeof CreateSheet>>({
    mutationFn: body => client.post('/api/sheets/', { body }),
    onSuccess: sheet => {
      void queries.invalidateQueries({ queryKey: ['sheets', 'list'] })
      onCreated(sheet)
    },
  })
}

export function useShare(id: string) {
  const reload = useReload(id)
  return useMutation<null, Problem, z.infer<typeof ShareSheet>>({
    mutationFn: body => client.post(`/api/sheets/${id}/share/`, { body }),
    onSuccess: reload,
  })
}

export function useUnshare(id: string) {
  const reload = useReload(id)
  return useMutation<null, Problem, string>({
    mutationFn: permission => client.delete(`/api/sheets/${id}/share/${permission}/`),
    onSuccess: reload,
  })
}

export function useAddRange(id: string) {
  const reload = useReload(id)
  return useMutation<null, Problem, z.input<typeof CreateNamedRange>>({
    mutationFn: body => client.post(`/api/sheets/${id}/named-ranges/`, { body }),
    onSuccess: reload,
  })
}

export function useDeleteRange(id: string) {
  const reload = useReload(id)
  return useMutation<null, Problem, string>({
    mutationFn: range => client.delete(`/api/sheets/${id}/named-ranges/${range}/`),
    onSuccess: reload,
  })
}

/** The whole spreadsheet as XLSX, or one tab as CSV. */
export const useDownload = (id: string) =>
  useMutation<void, Problem, { format: 'xlsx' } | { format: 'csv'; gid: number }>({
    mutationFn: query => download(`/api/sheets/${id}/export/`, query),
  })
