import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import type { Execution, ExecutionList, RunDetail, RunList, StartExecution } from '#shared/api/executions.ts'
import type { FirstRows } from '#shared/api/first-rows.ts'
import type { RunChanges } from '#shared/api/run-changes.ts'
import { clickKey } from '#web/client/click-key.ts'
import { client } from '#web/client/client.ts'
import { download } from '#web/client/download.ts'
import { rowsOf } from '#web/client/list-pages.ts'
import { useIsLive } from '#web/client/live.ts'
import type { Problem } from '#web/client/problem.ts'

export const HISTORY_PAGE = 10

const EXECUTIONS = '/api/gs-template-execution/'
const runsOf = (report: number) => `/api/gs-template-setting/${report}/runs/`

/** How often to poll a run that is under way: seldom while the server pushes events. */
const usePace = () => (useIsLive() ? 10_000 : 1500)

/** One execution: counts and per-report status, up to date while anything is pending. */
export function useExecution(id: string | undefined) {
  const pace = usePace()
  return useQuery<Execution, Problem>({
    queryKey: ['execution', id],
    queryFn: ({ signal }) => client.get(`${EXECUTIONS}${id}/`, { signal }),
    enabled: id !== undefined,
    refetchInterval: query => ((query.state.data?.pending ?? 0) > 0 ? pace : false),
  })
}

/** How many past executions are listed. */
const RECENT = 10

/** My last executions, so that one whose panel was closed can be opened again. */
export function useExecutions(opened: boolean) {
  return useQuery<z.infer<typeof ExecutionList>, Problem>({
    queryKey: ['executions'],
    queryFn: ({ signal }) => client.get(EXECUTIONS, { query: { limit: RECENT }, signal }),
    enabled: opened,
    staleTime: 0,
  })
}

/** One run, up to date until it has ended. */
export function useRun(report: number, run: string | null | undefined) {
  const pace = usePace()
  return useQuery<RunDetail, Problem>({
    queryKey: ['run', run, report],
    queryFn: ({ signal }) => client.get(`${runsOf(report)}${run}/`, { signal }),
    enabled: typeof run === 'string',
    refetchInterval: query => (query.state.data?.finished_at === null ? pace : false),
  })
}

/** Which runs of a report are listed. */
export interface RunsView {
  page: number
  outcome?: string
  trigger?: string
}

const filtersOf = ({ outcome, trigger }: Omit<RunsView, 'page'>) => ({
  ...(outcome !== undefined && { outcome }),
  ...(trigger !== undefined && { trigger }),
})

export function useRuns(report: number, { page, ...filters }: RunsView) {
  const pace = usePace()
  return useQuery<z.infer<typeof RunList>, Problem>({
    queryKey: ['runs', report, page, filters],
    queryFn: ({ signal }) =>
      client.get(runsOf(report), {
        query: { ...rowsOf(page, HISTORY_PAGE), ...filtersOf(filters) },
        signal,
      }),
    placeholderData: keepPreviousData,
    refetchInterval: query =>
      query.state.data?.results.some(run => run.finished_at === null) ? pace : false,
  })
}

/** Runs reports now. One key for each click, so that a request that was sent twice runs them once. */
export function useStart() {
  const queries = useQueryClient()
  return useMutation<Execution, Problem, z.infer<typeof StartExecution>>({
    mutationFn: body => client.post(EXECUTIONS, { body, headers: { 'idempotency-key': clickKey() } }),
    onSuccess: execution => {
      queries.setQueryData(['execution', execution.id], execution)
      void queries.invalidateQueries({ queryKey: ['reports'] })
      void queries.invalidateQueries({ queryKey: ['runs'] })
    },
  })
}

/** Cancels the runs that have not begun to write. */
export function useCancel() {
  const queries = useQueryClient()
  return useMutation<Execution, Problem, string>({
    mutationFn: id => client.delete(`${EXECUTIONS}${id}/`),
    onSuccess: execution => {
      queries.setQueryData(['execution', execution.id], execution)
      void queries.invalidateQueries({ queryKey: ['reports'] })
    },
  })
}

/** Runs a report again after a failed run. */
export function useRetry(report: number) {
  const queries = useQueryClient()
  return useMutation<Execution, Problem, string>({
    mutationFn: run => client.post(`${runsOf(report)}${run}/retry/`, { body: {} }),
    onSuccess: execution => {
      queries.setQueryData(['execution', execution.id], execution)
      void queries.invalidateQueries({ queryKey: ['reports'] })
      void queries.invalidateQueries({ queryKey: ['runs', report] })
    },
  })
}

/** The chart covers this many runs. */
const CHARTED = 60

/** The latest runs, for the chart. */
export function useLatestRuns(report: number) {
  return useQuery<z.infer<typeof RunList>, Problem>({
    queryKey: ['runs', report, 'latest'],
    queryFn: ({ signal }) => client.get(runsOf(report), { query: { limit: CHARTED }, signal }),
  })
}

/** The runs as they are filtered, as a file. */
export const downloadRuns = (report: number, filters: Omit<RunsView, 'page'>) =>
  download(runsOf(report), { format: 'csv', ...filtersOf(filters) })

/** What a run that has ended changed; it changes no more. */
export function useRunChanges(report: number, run: string) {
  return useQuery<RunChanges, Problem>({
    queryKey: ['run-changes', report, run],
    queryFn: ({ signal }) => client.get(`${runsOf(report)}${run}/changes/`, { signal }),
    staleTime: Infinity,
  })
}

/** The first rows of the table that a run has stored; null: not asked for yet. */
export function useFirstRows(report: number, run: string | null) {
  return useQuery<FirstRows, Problem>({
    queryKey: ['run-table', report, run],
    queryFn: ({ signal }) => client.get(`${runsOf(report)}${run}/table/`, { signal }),
    enabled: run !== null,
  })
}

/** Restores the table of an earlier run. One key for each click. */
export function useWriteBack(report: number) {
  const queries = useQueryClient()
  return useMutation<Execution, Problem, string>({
    mutationFn: run =>
      client.post(`${runsOf(report)}${run}/write-back/`, {
        body: {},
        headers: { 'idempotency-key': clickKey() },
      }),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ['reports'] })
      void queries.invalidateQueries({ queryKey: ['runs', report] })
    },
  })
}
