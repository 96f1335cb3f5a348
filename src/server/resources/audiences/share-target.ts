import type { AccountRef } from '#server/connectors/connector.ts'
import type { AudiencePart, AudienceSource, PartState, Target, Upload } from '#server/connectors/audience.ts'
import type { SharePart, ShareTask } from '#server/db/tables/audiences.ts'
import type { Share } from './share-queries.ts'

/** A share as a connector takes it. */
export const targetOf = (share: Share, part: AudiencePart): Target => {
  const known = share.parts.find(each => each.part === part.part)
  return {
    account: accountOf(share),
    part,
    audience: {
      name: share.name,
      description: share.description,
      tag: tagOf(share, part),
      collected_by: share.collected_by ?? 'advertiser',
      consent: share.consent ?? { ad_user_data: 'unknown', ad_personalization: 'unknown' },
      window_days: share.window_days ?? MOST_DAYS,
    },
    external_id: known?.external_id ?? null,
    progress: known?.progress ?? {},
  }
}

const MOST_DAYS = 540

export const accountOf = ({ provider, external_id, currency, timezone, via }: AccountRef): AccountRef => ({
  provider,
  external_id,
  currency,
  timezone,
  via,
})

/** Shared a second time, or by another installation in the same account, it is another one. */
const tagOf = ({ audience, id, created_at: since }: Share, { part }: AudiencePart) =>
  `sc-${audience}-${id}-${since.getTime().toString(36)}-${part}`.slice(0, 40)

/** The parts that have been begun at the platform. */
export const begunParts = (share: Share, source: AudienceSource): AudiencePart[] =>
  share.parts.map(({ part }) => source.parts.find(each => each.part === part) ?? wholePart(part))

/** Audiences that are no lists have one part, without columns. */
export const wholePart = (part = 'all'): AudiencePart => ({ part, columns: [] })

export const withPart = (
  parts: readonly SharePart[],
  { part }: Pick<AudiencePart, 'part'>,
  state: PartState,
): SharePart[] => [
  ...parts.filter(each => each.part !== part),
  { part, external_id: state.external_id, progress: { ...state.progress } },
]

export const uploadOf = ({ session, action, rows, batches, begun_at: begun }: ShareTask): Upload => ({
  session,
  action,
  rows,
  batches,
  begun_at: new Date(begun),
})

export function taskOf({ id, task }: Share): ShareTask {
  if (!task) throw new Error(`share ${id} sends nothing`)
  return task
}

export function partOf({ source }: { source: AudienceSource }, { part }: ShareTask): AudiencePart {
  const found = source.parts[part]
  if (!found) throw new Error(`there is no part ${part}`)
  return found
}
