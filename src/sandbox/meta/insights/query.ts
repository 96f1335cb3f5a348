import type { Account } from '#sandbox/dataset/agency.ts'
import { monthsBefore } from '#sandbox/dataset/calendar.ts'
import { type Ad, existsOn, nameOn } from '#sandbox/dataset/campaigns.ts'
import type { Part } from '#sandbox/dataset/split.ts'
import { adsOf, type Dataset } from '#sandbox/dataset/dataset.ts'
import { invalid } from '#sandbox/meta/errors.ts'
import type { Parameters } from '#sandbox/meta/parameters.ts'
import { isHourly, knowsOnlyMeta, legalBreakdowns, needsOption, partsOf } from './breakdowns.ts'
import { FIELDS, REACH_FIELDS, UNIQUE_FIELDS } from './fields.ts'
import { type Filters, filtersOf, type Level, LEVELS } from './filtering.ts'
import { type Slice, slicesOf } from './periods.ts'

/** What a row can be about: its ids and names, and the ads it adds up. */
export interface Entity {
  keys: Readonly<Record<string, string>>
  ads: readonly Ad[]
}

/** A request to insights that has passed every check. */
export interface Query {
  account: Account
  level: Level
  fields: string[]
  slices: Slice[]
  entities: Entity[]
  parts: readonly Part[] | null
  filters: Filters
  sort: { field: string; action_type: string | null; descending: boolean } | null
  windows: string[]
  /** 'action_device' cuts every action entry by device; 'action_destination' only adds a key. */
  action_breakdowns: string[]
  on_meta_only: boolean
  /** Reach and unique counts are 0 for hours. */
  no_people: boolean
  /** Reach together with a breakdown and a start of more than 13 months ago. */
  rare_reach: boolean
  /** Some accounts get nothing for these breakdowns unless asynchronously. */
  needs_option: boolean
  /** The request as text: cursors belong to it. */
  text: string
}

const WINDOWS = new Set([
  '1d_click',
  '7d_click',
  '28d_click',
  '1d_view',
  '7d_view',
  '28d_view',
  '1d_ev',
  'dda',
  'default',
  'skan_click',
  'skan_view',
  'skan_click_second_postback',
  'skan_view_second_postback',
  'skan_click_third_postback',
  'skan_view_third_postback',
])

/** Reads a request about the whole account, or about one object of it. */
export function readQuery(
  parameters: Parameters,
  {
    account,
    dataset,
    within,
  }: { account: Account; dataset: Dataset; within: { level: Level; id: string } | null },
): Query {
  const { today } = dataset.moment(account)
  const level = levelOf(parameters.text('level') ?? within?.level ?? 'account')
  const fields = fieldsOf(parameters)
  const breakdowns = parameters.list('breakdowns')
  const action_breakdowns = actionBreakdownsOf(parameters)
  const slices = slicesOf(parameters, today)
  const filters = filtersOf(parameters.json('filtering'), level, today)
  refuseTogether(fields, breakdowns, action_breakdowns)
  for (const ignored of [
    'use_unified_attribution_setting',
    'use_account_attribution_setting',
    'default_summary',
  ]) {
    parameters.boolean(ignored)
  }
  parameters.text('action_report_time')
  const old = Math.min(...slices.map(slice => slice.first)) < monthsBefore(today, 13)
  const brokenDown = breakdowns.length > 0
  if (old && isHourly(breakdowns))
    throw invalid('Hourly breakdowns are available for the last 13 months only')
  return {
    account,
    level,
    fields: brokenDown && old ? fields.filter(field => !UNIQUE_FIELDS.has(field)) : fields,
    slices,
    entities: entitiesOf(dataset, { account, level, within, filters, today }),
    parts: brokenDown ? partsOf(breakdowns, account) : null,
    filters,
    sort: sortOf(parameters.list('sort')),
    windows: windowsOf(parameters),
    action_breakdowns,
    on_meta_only: knowsOnlyMeta(breakdowns),
    no_people: isHourly(breakdowns),
    rare_reach: old && brokenDown && fields.some(field => REACH_FIELDS.has(field)),
    needs_option: needsOption(breakdowns),
    text: textOfQuery(parameters),
  }
}

/** Paging and carriers are no part of the request. */
const PAGING = new Set(['after', 'before', 'limit', 'appsecret_proof', 'pretty', 'debug'])
export const textOfQuery = (parameters: Parameters) =>
  JSON.stringify(parameters.entries().filter(([name]) => !PAGING.has(name)))

function levelOf(text: string): Level {
  const level = LEVELS.find(each => each === text)
  if (!level) throw invalid(`level must be one of the following values: ${LEVELS.join(', ')}`)
  return level
}

function fieldsOf(parameters: Parameters): string[] {
  const text = parameters.text('fields')
  const fields = text === null ? ['impressions', 'spend'] : text.split(',')
  const unknown = fields.find(field => !Object.hasOwn(FIELDS, field))
  if (unknown !== undefined) {
    throw invalid(
      `${unknown} is not valid for fields param. please check https://developers.facebook.com/docs/marketing-api/reference/ads-insights/ for all valid values`,
    )
  }
  return [...new Set(fields)]
}

function actionBreakdownsOf(parameters: Parameters): string[] {
  const requested = parameters.list('action_breakdowns')
  return requested.length === 0 ? ['action_type'] : requested
}

const ACTION_LISTS = new Set([
  'actions',
  'action_values',
  'conversions',
  'cost_per_action_type',
  'unique_actions',
])

function refuseTogether(fields: string[], breakdowns: string[], actionBreakdowns: string[]): void {
  legalBreakdowns(breakdowns, actionBreakdowns)
  const extra = actionBreakdowns.find(name => name !== 'action_type')
  if (extra !== undefined && !fields.some(field => ACTION_LISTS.has(field))) {
    throw invalid(`action_breakdowns (${extra}) need actions in fields`)
  }
  const video = fields.find(field => field.startsWith('video_'))
  if (video !== undefined && isHourly(breakdowns)) {
    throw invalid(`${video} is not available with hourly breakdowns`)
  }
}

function windowsOf(parameters: Parameters): string[] {
  const windows = parameters.list('action_attribution_windows')
  const unknown = windows.findIndex(window => !WINDOWS.has(window))
  if (unknown >= 0) {
    throw invalid(
      `action_attribution_windows[${unknown}] must be one of the following values: ${[...WINDOWS].join(', ')}`,
    )
  }
  return windows
}

function sortOf(sort: string[]): Query['sort'] {
  const [text, second] = sort
  if (text === undefined) return null
  const [, field, action_type, direction] =
    /^([a-z_0-9]+?)(?::([A-Za-z0-9_.]+?))?_(ascending|descending)$/.exec(text) ?? []
  if (second !== undefined || field === undefined || !Object.hasOwn(FIELDS, field)) {
    throw invalid(`Param sort must be one field followed by _ascending or _descending`)
  }
  return { field, action_type: action_type ?? null, descending: direction === 'descending' }
}

interface Scope {
  account: Account
  level: Level
  within: { level: Level; id: string } | null
  filters: Filters
  today: number
}

function entitiesOf(dataset: Dataset, { account, level, within, filters, today }: Scope): Entity[] {
  const entities = new Map<string, { keys: Record<string, string>; ads: Ad[] }>()
  const keys = { account_id: account.id, account_name: account.name, account_currency: account.currency }
  for (const ad of adsOf(dataset.campaigns(account))) {
    if (!existsOn(ad, today) || !isWithin(ad, within) || !filters.keeps(ad)) continue
    const id = idAt(ad, level)
    const entity = entities.get(id)
    if (entity) entity.ads.push(ad)
    else entities.set(id, { keys: { ...keys, ...keysOf(ad, level, today) }, ads: [ad] })
  }
  return [...entities.values()]
}

function idAt(ad: Ad, level: Level): string {
  if (level === 'account') return ''
  if (level === 'campaign') return ad.ad_set.campaign.id
  return level === 'adset' ? ad.ad_set.id : ad.id
}

const isWithin = (ad: Ad, within: Scope['within']) => within === null || idAt(ad, within.level) === within.id

/** Ids and names down to the level; finer ones do not exist on its rows. */
function keysOf(ad: Ad, level: Level, today: number): Record<string, string> {
  if (level === 'account') return {}
  const { ad_set } = ad
  const { campaign } = ad_set
  const keys: Record<string, string> = {
    campaign_id: campaign.id,
    campaign_name: nameOn(campaign, today),
    objective: OBJECTIVE_NAMES[campaign.objective],
    buying_type: 'AUCTION',
  }
  if (level === 'campaign') return keys
  Object.assign(keys, {
    adset_id: ad_set.id,
    adset_name: nameOn(ad_set, today),
    attribution_setting: '7d_click_1d_view',
  })
  return level === 'adset' ? keys : Object.assign(keys, { ad_id: ad.id, ad_name: nameOn(ad, today) })
}

export const OBJECTIVE_NAMES = {
  sales: 'OUTCOME_SALES',
  leads: 'OUTCOME_LEADS',
  traffic: 'OUTCOME_TRAFFIC',
  engagement: 'OUTCOME_ENGAGEMENT',
  video: 'OUTCOME_AWARENESS',
  app: 'OUTCOME_APP_PROMOTION',
} as const
