import type { Account } from '#sandbox/dataset/agency.ts'
import { isoOf } from '#sandbox/dataset/calendar.ts'
import {
  type Ad,
  type AdSet,
  adSetStatus,
  adStatus,
  type Campaign,
  campaignStatus,
  existsOn,
  nameOn,
  statusOn,
} from '#sandbox/dataset/campaigns.ts'
import type { Dataset } from '#sandbox/dataset/dataset.ts'
import { listPage } from './accounts.ts'
import { invalid } from './errors.ts'
import { project, parseFields } from './fields.ts'
import type { GraphRequest } from './graph.ts'
import { readFilters, textTest } from './insights/filtering.ts'
import { OBJECTIVE_NAMES } from './insights/query.ts'
import type { Page } from './paging.ts'

export type Kind = 'campaign' | 'adset' | 'ad'

export interface Found {
  account: Account
  kind: Kind
  node: Record<string, unknown>
}

const STATUSES = new Set([
  'ACTIVE',
  'PAUSED',
  'DELETED',
  'ARCHIVED',
  'CAMPAIGN_PAUSED',
  'ADSET_PAUSED',
  'IN_PROCESS',
  'WITH_ISSUES',
  'PENDING_REVIEW',
  'DISAPPROVED',
  'PREAPPROVED',
  'PENDING_BILLING_INFO',
])

/** GET /act_X/campaigns, adsets, ads: without deleted and archived ones, unless requested. */
export function namesOf(request: GraphRequest, account: Account, kind: Kind): Page {
  const { parameters, dataset } = request
  const fields = parseFields(parameters.text('fields'), 'id')
  const statuses = parameters.list('effective_status')
  const unknown = statuses.findIndex(status => !STATUSES.has(status))
  if (unknown >= 0) {
    throw invalid(
      `effective_status[${unknown}] must be one of the following values: ${[...STATUSES].join(', ')}`,
    )
  }
  const filtering = parameters.json('filtering')
  const tests = filtering === null ? [] : readFilters(filtering).map(filter => testOf(filter, kind))
  const requested = new Set(statuses)
  const named = requested.size > 0 || tests.some(({ field }) => field === 'effective_status')
  const nodes = nodesOf(account, dataset, kind).filter(node => {
    const status = String(node['effective_status'])
    if (requested.size > 0 && !requested.has(status)) return false
    if (!named && (status === 'DELETED' || status === 'ARCHIVED')) return false
    return tests.every(({ field, test }) => test(String(node[field])))
  })
  return listPage(
    request,
    nodes.map(node => project(node, fields, TYPES[kind])),
  )
}

/** The campaign, ad set or ad with that id, in an account that the caller sees. */
export function findNode(
  { caller, dataset }: Pick<GraphRequest, 'caller' | 'dataset'>,
  id: string,
): Found | null {
  const [, number, level] = /^12021(\d{3})([123])\d{9}$/.exec(id) ?? []
  const account = caller.accounts.find(each => each.number === Number(number))
  const kind = (['campaign', 'adset', 'ad'] as const)[Number(level) - 1]
  if (!account || !kind) return null
  const node = nodesOf(account, dataset, kind).find(each => each['id'] === id)
  return node ? { account, kind, node } : null
}

export const TYPES: Record<Kind, string> = { campaign: 'Campaign', adset: 'AdSet', ad: 'Ad' }

function testOf(filter: { field: string; operator: string; value: unknown }, kind: Kind) {
  const [, of] = new RegExp(`^(?:${kind}\\.)?(id|name|effective_status)$`).exec(filter.field) ?? []
  if (of !== 'id' && of !== 'name' && of !== 'effective_status') {
    throw invalid(
      `Filtering field ${filter.field} with operation ${filter.operator.toLowerCase()} is not supported`,
    )
  }
  return { field: of, test: textTest(filter, of) }
}

function nodesOf(account: Account, dataset: Dataset, kind: Kind): Record<string, unknown>[] {
  const { today } = dataset.moment(account)
  const campaigns = dataset.campaigns(account)
  if (kind === 'campaign')
    return campaigns.filter(each => existsOn(each, today)).map(each => campaignNode(each, today))
  const adSets = campaigns.flatMap(campaign => campaign.ad_sets).filter(each => existsOn(each, today))
  if (kind === 'adset') return adSets.map(each => adSetNode(each, today))
  return adSets.flatMap(adSet =>
    adSet.ads.filter(each => existsOn(each, today)).map(each => adNode(each, today)),
  )
}

const named = (node: Campaign | AdSet | Ad, today: number) => ({
  id: node.id,
  name: nameOn(node, today),
  status: statusOn(node, today),
  created_time: `${isoOf(node.start)}T00:00:00+0000`,
  start_time: `${isoOf(node.start)}T00:00:00+0000`,
})

const campaignNode = (campaign: Campaign, today: number) => ({
  ...named(campaign, today),
  effective_status: campaignStatus(campaign, today),
  objective: OBJECTIVE_NAMES[campaign.objective],
  buying_type: 'AUCTION',
  stop_time: campaign.end === null ? undefined : `${isoOf(campaign.end)}T23:59:59+0000`,
})

const adSetNode = (adSet: AdSet, today: number) => ({
  ...named(adSet, today),
  effective_status: adSetStatus(adSet, today),
  campaign_id: adSet.campaign.id,
  end_time: adSet.end === null ? undefined : `${isoOf(adSet.end)}T23:59:59+0000`,
})

const adNode = (ad: Ad, today: number) => ({
  ...named(ad, today),
  effective_status: adStatus(ad, today),
  campaign_id: ad.ad_set.campaign.id,
  adset_id: ad.ad_set.id,
})
