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
import { LINE_OBJECTIVES, type LineAccount, lineId } from '#sandbox/dataset/line.ts'
import type { Dataset } from '#sandbox/dataset/dataset.ts'
import { OFFSETS } from './accounts.ts'
import { refused } from './errors.ts'
import { pageOf, positionOf } from './lists.ts'
import type { Parameters } from './parameters.ts'

export type Kind = 'campaign' | 'adgroup' | 'ad'

/** A campaign, ad group or ad that exists on the day, with all ads in it. */
export interface Entity {
  kind: Kind
  id: number
  name: string
  is_removed: boolean
  status: EffectiveStatus
  node: Campaign | AdSet | Ad
  campaign: Campaign
  ad_set: AdSet | null
  ads: Ad[]
}

/** All entities of a kind in the order of their creation, removed ones too. */
export function entitiesOf(campaigns: readonly Campaign[], kind: Kind, day: number): Entity[] {
  const entityOf = (
    node: Entity['node'],
    more: Pick<Entity, 'campaign' | 'ad_set' | 'ads' | 'status'>,
  ): Entity => ({
    kind,
    id: lineId(node),
    name: nameOn(node, day),
    is_removed: more.status === 'DELETED',
    node,
    ...more,
    ads: more.ads.filter(ad => existsOn(ad, day)),
  })
  return campaigns
    .flatMap(campaign => {
      if (kind === 'campaign') {
        const ads = campaign.ad_sets.flatMap(adSet => adSet.ads)
        return [entityOf(campaign, { campaign, ad_set: null, ads, status: campaignStatus(campaign, day) })]
      }
      return campaign.ad_sets.flatMap(ad_set =>
        kind === 'adgroup'
          ? [entityOf(ad_set, { campaign, ad_set, ads: ad_set.ads, status: adSetStatus(ad_set, day) })]
          : ad_set.ads.map(ad => entityOf(ad, { campaign, ad_set, ads: [ad], status: adStatus(ad, day) })),
      )
    })
    .filter(entity => existsOn(entity.node, day))
}

const FILTERS: Record<Kind, readonly ('campaignId' | 'adgroupId')[]> = {
  campaign: [],
  adgroup: ['campaignId'],
  ad: ['campaignId', 'adgroupId'],
}

/** GET /adaccounts/{id}/campaigns, /adgroups, /ads */
export function entityList(
  parameters: Parameters,
  { account, dataset, kind }: { account: LineAccount; dataset: Dataset; kind: Kind },
): unknown {
  const ids = parameters.all('ids').map(id => numberOf(id, 'ids'))
  const keeps = FILTERS[kind].map(name => withinOf(name, parameters))
  const withRemoved = parameters.flag('includeRemoved', false)
  const position = positionOf(parameters, ['id', 'name', 'createdDate'])
  parameters.refuseUnknown()
  const day = dataset.moment(account).today
  const found = entitiesOf(dataset.campaigns(account), kind, day).filter(
    entity =>
      (withRemoved || !entity.is_removed) &&
      (ids.length === 0 || ids.includes(entity.id)) &&
      keeps.every(keep => keep(entity)),
  )
  return pageOf(
    found.map(entity => itemOf(entity, { account, day })),
    position,
  )
}

/** Whether an entity is in the campaign or ad group that a parameter names. */
export function withinOf(
  name: 'campaignId' | 'adgroupId',
  parameters: Parameters,
): (entity: Entity) => boolean {
  const text = parameters.text(name)
  if (text === null) return () => true
  const id = numberOf(text, name)
  return ({ campaign, ad_set }) =>
    (name === 'campaignId' ? lineId(campaign) : ad_set ? lineId(ad_set) : null) === id
}

function numberOf(text: string, name: string): number {
  if (!/^\d{1,15}$/.test(text)) throw refused('INVALID_FORMAT', name)
  return Number(text)
}

function itemOf(entity: Entity, { account, day }: { account: LineAccount; day: number }) {
  const { campaign, ad_set, node, kind, status } = entity
  const offset = OFFSETS[account.time_zone]
  const dates = {
    startDate: `${isoOf(node.start)}T00:00:00${offset}`,
    endDate: node.end === null ? '1970-01-01T00:00:00Z' : `${isoOf(node.end)}T23:59:59${offset}`,
  }
  return {
    id: entity.id,
    name: entity.name,
    ...(kind === 'campaign' && { ...campaignFields(campaign), ...dates }),
    ...(kind !== 'campaign' && { campaign: { id: lineId(campaign), name: nameOn(campaign, day) } }),
    ...(kind === 'adgroup' && {
      bidType: campaign.objective === 'engagement' ? 'CPF' : campaign.objective === 'video' ? 'CPM' : 'CPC',
      bidAmountMicro: 30_000_000,
    }),
    ...(kind === 'ad' && ad_set && { adgroup: { id: lineId(ad_set), name: nameOn(ad_set, day) } }),
    configuredStatus: entity.is_removed ? 'REMOVED' : status === 'ACTIVE' ? 'ACTIVE' : 'PAUSED',
    deliveryStatus: status === 'ACTIVE' ? 'DELIVERING' : 'NOT_DELIVERING',
    createdDate: `${isoOf(node.start)}T11:15:00${offset}`,
    modifiedDate: `${isoOf(Math.min(day, node.start + 3))}T17:30:00${offset}`,
  }
}

const campaignFields = (campaign: Campaign) => ({
  campaignObjective: LINE_OBJECTIVES[campaign.objective],
  spendingLimitType: 'NONE',
  spendingLimitMicro: null,
  dailyBudgetMicro: (50_000 + (lineId(campaign) % 40) * 2500) * 1_000_000,
})
