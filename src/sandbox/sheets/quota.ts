import { Refusal } from './errors.ts'
import type { Caller } from '#sandbox/oauth/caller.ts'

export interface QuotaSizes {
  per_user: number
  per_project: number
}

export const QUOTA: QuotaSizes = { per_user: 60, per_project: 300 }
const PROJECT_NUMBER = '123456789012'

const WINDOW_MS = 60_000

type Kind = 'read' | 'write'

interface Use {
  clock: number
  wall: number
}

/**
 * Sliding windows of a minute per user and per project. A use leaves its window when a minute has passed on
 * the sandbox's clock or on the real one, so that a clock that is set forward refills at once and one that is
 * stopped does not starve anybody.
 */
export function openQuota({ clock, wall }: { clock: () => Date; wall: () => number }) {
  let sizes = { ...QUOTA }
  const windows = new Map<string, Use[]>()

  function current(name: string): Use[] {
    const now = { clock: clock().getTime(), wall: wall() }
    const uses = (windows.get(name) ?? []).filter(
      use => now.wall - use.wall < WINDOW_MS && now.clock - use.clock < WINDOW_MS,
    )
    windows.set(name, uses)
    return uses
  }

  return {
    get: () => sizes,
    set: (values: Partial<QuotaSizes>) => void (sizes = { ...sizes, ...values }),
    reset() {
      sizes = { ...QUOTA }
      windows.clear()
    },
    /** Count a request; 429 when a window is full. A refused request does not count. */
    take(kind: Kind, { email, project }: Caller) {
      const user = current(`${kind} ${project} ${email}`)
      const all = current(`${kind} ${project}`)
      if (user.length >= sizes.per_user) throw exceeded(kind, 'User', sizes.per_user)
      if (all.length >= sizes.per_project) throw exceeded(kind, 'Project', sizes.per_project)
      const use = { clock: clock().getTime(), wall: wall() }
      user.push(use)
      all.push(use)
    },
  }
}

/** The 429 of Google, which names metric and limit. */
export function exceeded(kind: Kind, whose: 'User' | 'Project', size: number): Refusal {
  const name = kind === 'read' ? 'Read requests' : 'Write requests'
  const limit = `${name} per minute${whose === 'User' ? ' per user' : ''}`
  const message = `Quota exceeded for quota metric '${name}' and limit '${limit}' of service 'sheets.googleapis.com' for consumer 'project_number:${PROJECT_NUMBER}'.`
  return new Refusal(429, 'RESOURCE_EXHAUSTED', message, [
    {
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason: 'RATE_LIMIT_EXCEEDED',
      domain: 'googleapis.com',
      metadata: {
        service: 'sheets.googleapis.com',
        consumer: `projects/${PROJECT_NUMBER}`,
        quota_metric: `sheets.googleapis.com/${kind}_requests`,
        quota_limit: `${kind === 'read' ? 'Read' : 'Write'}RequestsPerMinutePer${whose}`,
        quota_limit_value: String(size),
        quota_location: 'global',
        quota_unit: whose === 'User' ? '1/min/{project}/{user}' : '1/min/{project}',
      },
    },
    {
      '@type': 'type.googleapis.com/google.rpc.Help',
      links: [
        {
          description: 'Request a higher quota limit.',
          url: 'https://cloud.google.com/docs/quotas/help/request_increase',
        },
      ],
    },
  ])
}
