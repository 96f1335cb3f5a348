import type { RunDetail, RunStretch } from '#shared/api/executions.ts'

export type StageName = RunStretch['phase'] | 'queued' | 'completed' | 'error' | 'cancelled'

/** One line of the timeline. */
export interface Stage {
  name: StageName
  at: string
  /** null: it is the last, or still goes on. */
  took_ms: number | null
  /** null: the beginning and the end belong to no attempt. */
  stretch: RunStretch | null
}

/**
 * From waiting in the queue to the end, each with how long it took. Of runs that are older than timelines
 * only the beginning, the start and the end are known.
 */
export function stagesOf({
  queued_at,
  started_at,
  finished_at,
  status,
  timeline,
}: Pick<RunDetail, 'queued_at' | 'started_at' | 'finished_at' | 'status' | 'timeline'>): Stage[] {
  const points: Omit<Stage, 'took_ms'>[] = [
    { name: 'queued', at: queued_at, stretch: null },
    ...(timeline.length === 0 && started_at !== null
      ? [{ name: 'fetching' as const, at: started_at, stretch: null }]
      : timeline.map(stretch => ({ name: stretch.phase, at: stretch.at, stretch }))),
    ...(finished_at !== null && isEnd(status) ? [{ name: status, at: finished_at, stretch: null }] : []),
  ]
  return points.map((point, index) => {
    const next = points[index + 1]
    return { ...point, took_ms: next ? Math.max(0, Date.parse(next.at) - Date.parse(point.at)) : null }
  })
}

const isEnd = (status: RunDetail['status']) =>
  status === 'completed' || status === 'error' || status === 'cancelled'
