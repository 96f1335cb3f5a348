import { isoOf } from '#sandbox/dataset/calendar.ts'
import {
  type Ad,
  type AdSet,
  adSetStatus,
  adStatus,
  type Campaign,
  campaignStatus,
  type EffectiveStatus,
  existsOn,
  nameOn,
} from '#sandbox/dataset/campaigns.ts'
import { OBJECTIVE_TYPES, operationStatus, type TikTokAccount, tiktokId } from '#sandbox/dataset/tiktok.ts'
import type { Dataset } from '#sandbox/dataset/dataset.ts'
import { advertiserFor, type Caller } from './access.ts'
import { invalid, notOneOf, TikTokError } from './errors.ts'
import { filteringOf, pageOf, positionOf, project } from './lists.ts'
import { type Parameters, textsOf } from './parameters.ts'

export type Kind = 'campaign' | 'adgroup' | 'ad'

/** A campaign, ad group or ad that exists today, with all ads in it. */
export interface Entity {
  kind: Kind
  id: string
  name: string
  status: EffectiveStatus
  /** First day. */
  start: number
  campaign: Campaign
  ad_set: AdSet | null
  ads: Ad[]
}

export const STATUSES = [
  'STATUS_ALL',
  'STATUS_NOT_DELETE',
  'STATUS_NOT_DELIVERY',
  'STATUS_DELIVERY_OK',
  'STATUS_DISABLE',
  'STATUS_DELETE',
] as const
export type StatusFilter = (typeof STATUSES)[number]

export function hasStatus(status: EffectiveStatus, expected: StatusFilter): boolean {
  const operation = operationStatus(status)
  switch (expected) {
    case 'STATUS_ALL':
      return true
    case 'STATUS_NOT_DELETE':
      return operation !== 'DELETE'
    case 'STATUS_NOT_DELIVERY':
      return operation === 'DISABLE'
    case 'STATUS_DELIVERY_OK':
      return operation === 'ENABLE'
    case 'STATUS_DISABLE':
      return operation === 'DISABLE'
    case 'STATUS_DELETE':
      return operation === 'DELETE'
  }
}

/** All entities of a kind, deleted ones too, the newest first. */
export function entitiesOf(account: TikTokAccount, dataset: Dataset, kind: Kind): Entity[] {
  const { today } = dataset.moment(account)
  const all = dataset.campaigns(account).flatMap(campaign => {
    if (kind === 'campaign') {
      const ads = campaign.ad_sets.flatMap(adSet => adSet.ads)
      return [entityOf(campaign, { campaign, ad_set: null, ads, status: campaignStatus(campaign, today) })]
    }
    return campaign.ad_sets.flatMap(ad_set =>
      kind === 'adgroup'
        ? [entityOf(ad_set, { campaign, ad_set, ads: ad_set.ads, status: adSetStatus(ad_set, today) })]
        : ad_set.ads.map(ad => entityOf(ad, { campaign, ad_set, ads: [ad], status: adStatus(ad, today) })),
    )
  })
  return all
    .filter(entity => entity.start <= today)
    .toSorted((left, right) => right.start - left.start || (left.id < right.id ? 1 : -1))

  function entityOf(
    node: Campaign | AdSet | Ad,
    more: Pick<Entity, 'campaign' | 'ad_set' | 'ads' | 'status'>,
  ): Entity {
    const ads = more.ads.filter(ad => existsOn(ad, today))
    return { kind, id: tiktokId(node), name: nameOn(node, today), start: node.start, ...more, ads }
  }
}

const FILTERS: Record<Kind, readonly string[]> = {
  campaign: ['campaign_ids', 'campaign_name', 'primary_status', 'objective_type'],
  adgroup: ['campaign_ids', 'adgroup_ids', 'adgroup_name', 'primary_status'],
  ad: ['campaign_ids', 'adgroup_ids', 'ad_ids', 'primary_status'],
}
const MOST_IDS = 100

/** GET /campaign/get/, /adgroup/get/, /ad/get/: without deleted ones, unless requested. */
export function entityList(
  parameters: Parameters,
  { caller, dataset, kind }: { caller: Caller; dataset: Dataset; kind: Kind },
): unknown {
  const account = advertiserFor(caller, parameters.required('advertiser_id'))
  const fields = parameters.list('fields')
  const keeps = testOf(filteringOf(parameters, FILTERS[kind]), kind)
  const position = positionOf(parameters, 1000)
  parameters.refuseUnknown()
  const { list, page_info } = pageOf(entitiesOf(account, dataset, kind).filter(keeps), position)
  const day = dataset.moment(account).today
  return { list: list.map(entity => project(itemOf(entity, account, day), fields)), page_info }
}

function testOf(filtering: Record<string, unknown>, kind: Kind): (entity: Entity) => boolean {
  const status = filtering['primary_status'] ?? 'STATUS_NOT_DELETE'
  const expected = STATUSES.find(each => each === status)
  if (expected === undefined) throw notOneOf('filtering.primary_status', [String(status)], STATUSES)
  const ids = (['campaign', 'adgroup', 'ad'] as const).flatMap(of => {
    const listed = filtering[`${of}_ids`]
    if (listed === undefined) return []
    const list = textsOf(`filtering.${of}_ids`, listed)
    if (list.length > MOST_IDS) throw new TikTokError(40011, `filtering.${of}_ids: At most ${MOST_IDS} ids.`)
    return [{ of, among: new Set(list) }]
  })
  const name = filtering[`${kind}_name`] ?? ''
  const objective = filtering['objective_type']
  if (typeof name !== 'string') throw invalid(`filtering.${kind}_name: Not a valid string.`)
  return entity =>
    hasStatus(entity.status, expected) &&
    ids.every(({ of, among }) => among.has(idOf(entity, of) ?? '')) &&
    entity.name.toLowerCase().includes(name.toLowerCase()) &&
    (objective === undefined || OBJECTIVE_TYPES[entity.campaign.objective] === objective)
}

/** The id of the entity itself or of what it is in. */
export function idOf(entity: Entity, of: Kind): string | null {
  if (of === entity.kind) return entity.id
  if (of === 'campaign') return tiktokId(entity.campaign)
  if (of === 'adgroup' && entity.ad_set) return tiktokId(entity.ad_set)
  return null
}

function itemOf(entity: Entity, account: TikTokAccount, today: number): Record<string, unknown> {
  const { kind, campaign, ad_set } = entity
  const operation = operationStatus(entity.status)
  return {
    advertiser_id: account.id,
    campaign_id: tiktokId(campaign),
    campaign_name: nameOn(campaign, today),
    ...(kind === 'campaign' && {
      objective_type: OBJECTIVE_TYPES[campaign.objective],
      budget: budgetOf(campaign.id),
      budget_mode: 'BUDGET_MODE_DAY',
    }),
    ...(ad_set && { adgroup_id: tiktokId(ad_set), adgroup_name: nameOn(ad_set, today) }),
    ...(kind === 'ad' && { ad_id: entity.id, ad_name: entity.name }),
    operation_status: operation,
    secondary_status: `${kind === 'adgroup' ? 'ADGROUP' : kind.toUpperCase()}_STATUS_${operation === 'ENABLE' ? 'DELIVERY_OK' : operation}`,
    create_time: `${isoOf(entity.start)} 03:15:00`,
    modify_time: `${isoOf(Math.min(entity.start + 3, today))} 09:30:00`,
  }
}

export const budgetOf = (id: string) => 50 + (Number(id.slice(-4)) % 20) * 25
