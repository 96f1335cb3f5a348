import type { Filter } from '#shared/channels/catalogue.ts'
import { filterTest } from '#shared/filter.ts'
import type { Connector, Page, ReportRequest } from '#server/connectors/connector.ts'
import { listActions } from './actions.ts'
import { checkAccount, listAccounts, managersFor } from './accounts.ts'
import { everyRow } from './client.ts'
import { canRecover } from '#server/connectors/kit/failures.ts'
import { HEADLINES } from './fields.ts'
import { between, conditionOf, gaql } from './gaql.ts'
import { queryOf, type ReportQuery } from './query.ts'
import { CampaignRow, GoogleAdsLogin, HeadlineRow, type GoogleAdsIo } from './schema.ts'
import { rowsOf } from './pages.ts'

/** Google Ads and its keywords, through the Google Ads API. */
export const googleAds: Connector<GoogleAdsLogin> = {
  login: GoogleAdsLogin,
  hosts: ['google_ads', 'google_token'],
  listAccounts,
  checkAccount,
  fetchReport,
  listActions,
}

async function* fetchReport(request: ReportRequest, io: GoogleAdsIo): AsyncGenerator<Page> {
  const query = queryOf(request, io.now())
  const managers = managersFor(request.account, io.login)
  for (const through of managers) {
    let hasBegun = false
    try {
      for await (const page of rowsThrough(query, { ...request, through }, io)) {
        hasBegun = true
        yield page
      }
      return
    } catch (error) {
      if (hasBegun || through === managers.at(-1) || !canRecover(error, 'other_manager')) throw error
    }
  }
}

type Scope = Pick<ReportRequest, 'account' | 'range' | 'filters'> & { through: string | null }

async function* rowsThrough(query: ReportQuery, scope: Scope, io: GoogleAdsIo): AsyncGenerator<Page> {
  const { resource, select, conditions, action_condition, dimensions, metrics, segments, groups } = query
  const { account, through } = scope
  const headlines = dimensions.includes('ad') ? await headlinesOf(query, scope, io) : new Map()
  const search = {
    customer: account.external_id,
    through,
    query: {
      select,
      from: resource,
      where: [...conditions, ...(action_condition ? [action_condition] : [])],
    },
    spec: { dimensions, metrics, segments, headlines, hides_zeros: query.hides_zeros },
    merges: query.merges,
  }
  for (const slices of groups) yield* rowsOf(search, slices, io)
  if (resource === 'keyword_view') io.note({ code: 'keywords_only', detail: {} })
  if ((resource === 'ad_group' || resource === 'ad_group_ad') && (await hasPerformanceMax(scope, io))) {
    io.note({ code: 'no_performance_max', detail: { account: account.external_id } })
  }
}

/**
 * Requested once, not on each day's row: fifteen headlines with their reviews are most of what an ad weighs.
 */
async function headlinesOf(
  { conditions }: ReportQuery,
  { account, through, range }: Scope,
  io: GoogleAdsIo,
): Promise<Map<string, string>> {
  const query = gaql({
    select: ['ad_group.id', 'ad_group_ad.ad.id', HEADLINES],
    from: 'ad_group_ad',
    where: [
      between(range),
      "ad_group_ad.ad.type = 'RESPONSIVE_SEARCH_AD'",
      'metrics.impressions > 0',
      ...conditions,
    ],
  })
  const rows = await everyRow({ customer: account.external_id, through, query }, HeadlineRow, io)
  return new Map(
    rows.map(({ adGroup, adGroupAd: { ad } }) => [
      `${adGroup.id}~${ad.id}`,
      ad.responsiveSearchAd?.headlines[0]?.text ?? '',
    ]),
  )
}

/**
 * Whether campaigns that have no ad groups delivered anything which the report's filters would let through.
 */
async function hasPerformanceMax(
  { account, through, range, filters }: Scope,
  io: GoogleAdsIo,
): Promise<boolean> {
  const ofCampaigns = filters.filter(({ field }) => field === 'campaign_name')
  const query = gaql({
    select: ['campaign.name'],
    from: 'campaign',
    where: [
      between(range),
      "campaign.advertising_channel_type = 'PERFORMANCE_MAX'",
      'metrics.impressions > 0',
      ...ofCampaigns.flatMap((filter: Filter) => conditionOf('campaign.name', filter) ?? []),
    ],
  })
  const rows = await everyRow({ customer: account.external_id, through, query }, CampaignRow, io)
  return rows.some(({ campaign: { name } }) => ofCampaigns.every(filter => filterTest(filter)(name)))
}
