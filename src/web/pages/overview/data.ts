import { useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import type { Report, ReportList } from '#shared/api/reports.ts'
import { client } from '#web/app/client.ts'
import type { Problem } from '#web/app/problem.ts'

/** As many as one answer holds; the newest changes are among them. */
const MOST = 100
const REFRESH_MS = 60_000

/** The reports that I own or that are shared with me, the last changed first. */
export const useMyReports = () =>
  useQuery<z.infer<typeof ReportList>, Problem>({
    queryKey: ['reports', 'overview'],
    queryFn: ({ signal }) => client.get('/api/gs-template-setting/', { query: { limit: MOST }, signal }),
    refetchInterval: REFRESH_MS,
  })

export interface Outlook {
  failed: Report[]
  fine: Report[]
  running: Report[]
  /** Those with a next run, the soonest first. */
  due: Report[]
}

/** What stands out among the reports. */
export function outlookOf(reports: readonly Report[]): Outlook {
  return {
    failed: reports.filter(report => report.last_run?.status === 'error'),
    fine: reports.filter(report => report.last_run?.status === 'completed'),
    running: reports.filter(report => report.task !== null),
    due: reports
      .filter(report => report.next_run_at !== null)
      .toSorted((a, b) => (a.next_run_at ?? '').localeCompare(b.next_run_at ?? '')),
  }
}
