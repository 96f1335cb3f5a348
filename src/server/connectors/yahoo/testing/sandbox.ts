import { sourceOf, type AccountRef, type ReportRequest, type World } from '#server/connectors/connector.ts'
import { testWorld } from '#server/connectors/testing/world.ts'
import { lyAds } from '#server/connectors/yahoo/report.ts'

export const NOW = '2026-11-21T04:00:00Z'

export const search = sourceOf(lyAds, {
  client_id: 'any',
  client_secret: 'sandbox-admin',
  refresh_token: 'sandbox-admin',
})

export const searchAccount = (external_id: string): AccountRef => ({
  provider: 'ly_search',
  external_id,
  currency: 'JPY',
  timezone: 'Asia/Tokyo',
  via: '1000100',
})
export const aurora = searchAccount('1001926')

export const advertiser: AccountRef = {
  provider: 'yahoo_dsp',
  external_id: '330030',
  currency: 'TWD',
  timezone: 'Asia/Taipei',
  via: null,
}

/** A month of search ads, day by day. */
export const requestOf = (changes: Partial<ReportRequest> = {}): ReportRequest => ({
  channel: 'yg',
  account: aurora,
  range: { start: '2026-10-01', end: '2026-10-31' },
  time: 'date',
  dimensions: [],
  metrics: ['impressions', 'cost'],
  filters: [],
  ...changes,
})

export interface RecordedWorld {
  world: World
  /** Codes of the notes, in their order. */
  notes: string[]
  /** What was sent as JSON, by the end of its path. */
  sent: (path: string) => { operand?: Record<string, unknown>[]; reportOption?: Record<string, unknown> }[]
}

/** A world that remembers what was said to the platform and of it. */
export function recordedWorld(base_url: string, changes: Partial<World> = {}): RecordedWorld {
  const notes: string[] = []
  const bodies: { path: string; body: unknown }[] = []
  const world: World = {
    ...testWorld(base_url, NOW),
    note: ({ code }) => void notes.push(code),
    ...changes,
  }
  return {
    world: {
      ...world,
      fetch: (input, init) => {
        const path = URL.parse(String(input))?.pathname ?? ''
        if (typeof init?.body === 'string') bodies.push({ path, body: JSON.parse(init.body) })
        return world.fetch(input, init)
      },
    },
    notes,
    sent: path =>
      bodies.flatMap(({ path: asked, body }) =>
        asked.endsWith(path) ? [body as Record<string, never>] : [],
      ),
  }
}
