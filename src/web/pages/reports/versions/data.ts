import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Report } from '#shared/api/reports.ts'
import type { ReportVersion, ReportVersionSettings } from '#shared/api/report-versions.ts'
import { client } from '#web/client/client.ts'
import type { Problem } from '#web/client/problem.ts'

const REPORTS = '/api/gs-template-setting/'

/** The stored versions of a report, the latest first. */
export function useVersions(report: number) {
  return useQuery<ReportVersion[], Problem>({
    queryKey: ['versions', report],
    queryFn: ({ signal }) => client.get(`${REPORTS}${report}/versions/`, { signal }),
    staleTime: 0,
  })
}

/** One of them with its settings, which never change. */
export function useVersion(report: number, version: number | undefined) {
  return useQuery<ReportVersionSettings, Problem>({
    queryKey: ['versions', report, version],
    queryFn: ({ signal }) => client.get(`${REPORTS}${report}/versions/${version}/`, { signal }),
    enabled: version !== undefined,
  })
}

/** Gives the report the settings of a version; `from` is the report as it was read. */
export function useRestoreVersion() {
  const queries = useQueryClient()
  return useMutation<Report, Problem, { from: Pick<Report, 'id' | 'version'>; version: number }>({
    mutationFn: ({ from, version }) =>
      client.post(`${REPORTS}${from.id}/versions/${version}/restore/`, { body: { version: from.version } }),
    onSuccess: restored => {
      queries.setQueryData(['reports', 'one', restored.id], restored)
      void queries.invalidateQueries({ queryKey: ['reports', 'list'] })
    },
    onSettled: (_, problem, { from: { id } }) => {
      void queries.invalidateQueries({ queryKey: ['versions', id] })
      if (problem) void queries.invalidateQueries({ queryKey: ['reports', 'one', id] })
    },
  })
}
