import type { VisitorRule } from '#shared/audiences.ts'
import type { Lookalike, PartState, Target, Visitors } from '#server/connectors/audience.ts'
import type { AccountRef } from '#server/connectors/connector.ts'
import { findOrMake, listOf } from './audience-calls.ts'
import { ListedPixel, type MetaIo } from './schema.ts'

/** An audience of the people whom a pixel has met. */
export async function createVisitors(target: Target, visitors: Visitors, io: MetaIo): Promise<PartState> {
  const params = {
    prefill: '1',
    retention_days: String(visitors.window_days),
    rule: JSON.stringify(ruleOf(visitors)),
  }
  const { id } = await findOrMake(target, params, io)
  return { external_id: id, progress: {} }
}

/** An audience of people who are like those of another one. */
export async function createLookalike(
  target: Target,
  { seed_external_id, country, ratio }: Lookalike,
  io: MetaIo,
): Promise<PartState> {
  const params = {
    subtype: 'LOOKALIKE',
    origin_audience_id: seed_external_id,
    lookalike_spec: JSON.stringify({ ratio: ratio / 100, country }),
  }
  const { id } = await findOrMake(target, params, io)
  return { external_id: id, progress: {} }
}

export async function listPixels(
  { external_id }: AccountRef,
  io: MetaIo,
): Promise<{ id: string; name: string }[]> {
  const params = { fields: 'id,name' }
  return listOf({ path: `act_${external_id}/adspixels`, params, account: external_id }, ListedPixel, io)
}

const DAY_S = 86_400

const ruleOf = ({ pixel, rule, window_days }: Visitors) => ({
  inclusions: {
    operator: 'or',
    rules: [
      {
        event_sources: [{ id: pixel, type: 'pixel' }],
        retention_seconds: window_days * DAY_S,
        filter: { operator: 'or', filters: filtersOf(rule) },
      },
    ],
  },
})

/** Every address contains the empty text. */
function filtersOf({ match, values }: VisitorRule) {
  const { field, operator } = MATCHES[match]
  return (match === 'all' ? [''] : values).map(value => ({ field, operator, value }))
}

const MATCHES = {
  all: { field: 'url', operator: 'i_contains' },
  url_contains: { field: 'url', operator: 'i_contains' },
  url_equals: { field: 'url', operator: 'eq' },
  event: { field: 'event', operator: 'eq' },
} as const satisfies Record<VisitorRule['match'], { field: string; operator: string }>
