import type { OverviewReport } from '#shared/api/overview.ts'

/** The one state of a report, from which every sentence about it follows. */
export type ReportState =
  | { kind: 'never' }
  /** Its only runs were cancelled. */
  | { kind: 'cancelled' }
  | { kind: 'running'; finishes_at: string | null }
  | { kind: 'updated' | 'partial' | 'restored'; at: string; rows: number }
  /** `updated_at`: since when its spreadsheet is as it is; null: it was never written. */
  | { kind: 'failed'; at: string; updated_at: string | null }

type Facts = Pick<OverviewReport, 'outcome' | 'updated_at' | 'finishes_at'> & {
  report: Pick<OverviewReport['report'], 'task' | 'last_run'>
}

export function reportStateOf({ report, outcome, updated_at, finishes_at }: Facts): ReportState {
  if (report.task !== null) return { kind: 'running', finishes_at }
  if (outcome === null) return { kind: report.last_run === null ? 'never' : 'cancelled' }
  if (outcome.status === 'error') return { kind: 'failed', at: outcome.at, updated_at }
  const kind = outcome.restored ? 'restored' : outcome.partial ? 'partial' : 'updated'
  return { kind, at: outcome.at, rows: outcome.rows ?? 0 }
}
