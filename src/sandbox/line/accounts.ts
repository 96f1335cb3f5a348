import { ADVERTISERS } from '#sandbox/dataset/agency.ts'
import { CUSTOM_CONVERSIONS, LINE_OBJECTIVES, type LineAccount } from '#sandbox/dataset/line.ts'
import { accountsOf, type Caller, groupFor } from './access.ts'
import { pageOf, positionOf } from './lists.ts'
import type { Parameters } from './parameters.ts'

const SORTABLE = ['id', 'name', 'createdDate']

/** GET /groups/{groupId}/children */
export function childGroups(parameters: Parameters, caller: Caller, id: string): unknown {
  const group = groupFor(caller, id)
  const ids = parameters.all('ids')
  const position = positionOf(parameters, SORTABLE)
  parameters.refuseUnknown()
  const children = caller.groups.filter(
    child => child.parent === group.id && (ids.length === 0 || ids.includes(child.id)),
  )
  return pageOf(
    children.map(child => ({
      id: child.id,
      name: child.name,
      parentGroupId: group.id,
      parentGroupName: group.name,
      depth: 1,
    })),
    position,
  )
}

/** GET /groups/{groupId}/adaccounts: what it owns and, by default, what is linked to it. */
export function groupAccounts(parameters: Parameters, caller: Caller, id: string): unknown {
  const group = groupFor(caller, id)
  const withLinked = parameters.flag('includeLinked', true)
  const withRemoved = parameters.flag('includeRemoved', false)
  const name = (parameters.text('name') ?? '').toLowerCase()
  const position = positionOf(parameters, SORTABLE)
  parameters.refuseUnknown()
  const accounts = accountsOf(group).filter(
    account =>
      (withLinked || account.owner === group.id) &&
      (withRemoved || !account.is_removed) &&
      account.name.toLowerCase().includes(name),
  )
  return pageOf(accounts.map(accountNode), position)
}

/** GET /groups/{groupId}/link-request: the links that were granted. */
export function linkRequests(parameters: Parameters, caller: Caller, id: string): unknown {
  const group = groupFor(caller, id)
  const position = positionOf(parameters, SORTABLE)
  parameters.refuseUnknown()
  const linked = accountsOf(group).filter(account => account.owner !== group.id)
  return pageOf(
    linked.map(account => ({
      id: 5000 + account.number,
      adaccountId: account.id,
      name: account.name,
      status: 'APPROVED',
      createdDate: `2025-02-01T10:00:00${OFFSETS[account.time_zone]}`,
    })),
    position,
  )
}

/** GET /adaccounts/{id}/custom-conversions */
export function customConversions(parameters: Parameters, account: LineAccount): unknown {
  const position = positionOf(parameters, SORTABLE)
  parameters.refuseUnknown()
  const created = `2025-03-02T10:00:00${OFFSETS[account.time_zone]}`
  return pageOf(
    CUSTOM_CONVERSIONS.map(({ id, name }) => ({
      id,
      name,
      configuredStatus: 'ACTIVE',
      createdDate: created,
    })),
    position,
  )
}

/** None of LINE's markets changes its clocks. */
export const OFFSETS: Record<LineAccount['time_zone'], string> = {
  'Asia/Taipei': '+08:00',
  'Asia/Tokyo': '+09:00',
  'America/Los_Angeles': '-08:00',
}

const accountNode = (account: LineAccount) => ({
  id: account.id,
  name: account.name,
  configuredStatus: account.is_removed ? 'REMOVED' : 'ACTIVE',
  productType: 'PERFORMANCE',
  availableCampaignObjective: [...new Set(Object.values(LINE_OBJECTIVES))],
  currency: account.currency,
  timezone: account.time_zone,
  country: account.country,
  lineAccount: {
    name: account.advertiser,
    lineId: `@${ADVERTISERS.indexOf(account.advertiser) + 1}00${account.advertiser.split(' ')[0]?.toLowerCase()}`,
  },
  deliveryStatus: account.is_removed ? 'NOT_DELIVERING' : 'ACTIVE',
  deliveryStatusReasons: account.is_removed ? ['REMOVED'] : [],
  createdDate: `2025-03-01T10:00:00${OFFSETS[account.time_zone]}`,
  modifiedDate: `2026-10-01T09:00:00${OFFSETS[account.time_zone]}`,
})
