import { nameOn } from '#sandbox/dataset/campaigns.ts'
import { OBJECTIVE_TYPES, type TikTokAccount, tiktokId } from '#sandbox/dataset/tiktok.ts'
import { zoneName } from '#sandbox/tiktok/accounts.ts'
import { budgetOf, type Entity, type Kind } from '#sandbox/tiktok/entities.ts'
import { NOT_AVAILABLE } from './metrics.ts'

export type Level = 'advertiser' | Kind

/** What is reported beside the numbers, and from which level on. */
const ATTRIBUTES: Record<Level, readonly string[]> = {
  advertiser: ['advertiser_name', 'advertiser_id', 'currency', 'timezone'],
  campaign: ['campaign_name', 'objective_type', 'campaign_budget'],
  adgroup: ['campaign_id', 'adgroup_name', 'placement_type', 'budget', 'bid', 'billing_event'],
  ad: ['adgroup_id', 'ad_name', 'ad_text', 'call_to_action', 'image_mode'],
}
export const LEVELS = ['advertiser', 'campaign', 'adgroup', 'ad'] as const

export const attributesOf = (level: Level): string[] =>
  LEVELS.slice(0, LEVELS.indexOf(level) + 1).flatMap(each => [...ATTRIBUTES[each]])

interface About {
  account: TikTokAccount
  entity: Entity | null
  today: number
}

/** The text of an attribute. */
export function attribute(name: string, { account, entity, today }: About): string {
  const text = ACCOUNT[name]?.(account)
  if (text !== undefined) return text
  return (entity && OWN[name]?.(entity, today)) ?? NOT_AVAILABLE
}

const ACCOUNT: Record<string, (account: TikTokAccount) => string> = {
  advertiser_name: account => account.name,
  advertiser_id: account => account.id,
  currency: account => account.currency,
  timezone: zoneName,
}

const OWN: Record<string, (entity: Entity, today: number) => string> = {
  campaign_id: entity => tiktokId(entity.campaign),
  campaign_name: (entity, today) => nameOn(entity.campaign, today),
  objective_type: entity => OBJECTIVE_TYPES[entity.campaign.objective],
  campaign_budget: entity => budgetOf(entity.campaign.id).toFixed(2),
  adgroup_id: entity => (entity.ad_set ? tiktokId(entity.ad_set) : NOT_AVAILABLE),
  adgroup_name: (entity, today) => (entity.ad_set ? nameOn(entity.ad_set, today) : NOT_AVAILABLE),
  placement_type: () => 'Automatic Placement',
  budget: entity => budgetOf(entity.ad_set?.id ?? '').toFixed(2),
  bid: () => '0.00',
  billing_event: entity => (entity.campaign.objective === 'traffic' ? 'CPC' : 'oCPM'),
  ad_name: entity => entity.name,
  ad_text: entity => `${entity.name} — watch now`,
  call_to_action: () => 'Learn more',
  image_mode: entity => (entity.campaign.objective === 'traffic' ? 'Image' : 'Vertical video'),
}
