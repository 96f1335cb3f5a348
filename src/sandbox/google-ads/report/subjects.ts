import { type Ad, type Campaign, existsOn } from '#sandbox/dataset/campaigns.ts'
import {
  channelTypeOf,
  GOOGLE_CUSTOMERS,
  type GoogleCustomer,
  type Keyword,
  keywordsOf,
} from '#sandbox/dataset/google-ads.ts'
import { adsOf, type Dataset } from '#sandbox/dataset/dataset.ts'
import { treeOf } from '#sandbox/google-ads/access.ts'
import type { Subject } from '#sandbox/google-ads/fields/attributes.ts'
import type { Resource } from '#sandbox/google-ads/fields/field.ts'

/** What rows are about, with the ads behind them; one of a keyword's own when the resource goes so far. */
export interface Group {
  subject: Subject
  ads: Ad[]
  keywords: Keyword[] | null
}

/** Everything that a resource has in an account today, removed things included. */
export function groupsOf(customer: GoogleCustomer, resource: Resource, dataset: Dataset): Group[] {
  const { today } = dataset.moment(customer)
  const base = { customer, today }
  const campaigns = dataset.campaigns(customer).filter(campaign => existsOn(campaign, today))
  switch (resource) {
    case 'customer':
      return [{ subject: base, ads: adsOf(campaigns), keywords: null }]
    case 'customer_client':
      return treeOf(customer.id).map(({ id, level }) => ({
        subject: { ...base, client: { customer: customerOf(id), level } },
        ads: [],
        keywords: null,
      }))
    case 'campaign':
      return campaigns.map(campaign => ({
        subject: { ...base, campaign },
        ads: adsOf([campaign]),
        keywords: null,
      }))
    case 'ad_group':
      return adGroups(base, campaigns).map(group => ({ ...group, keywords: null }))
    case 'keyword_view':
      return adGroups(base, campaigns)
        .filter(({ subject }) => channelTypeOf(subject.campaign) === 'SEARCH')
        .map(group => ({ ...group, keywords: keywordsOf(customer, group.subject.ad_set) }))
    case 'ad_group_ad':
      return adGroups(base, campaigns).flatMap(({ subject, ads }) =>
        ads
          .filter(ad => existsOn(ad, today))
          .map(ad => ({ subject: { ...subject, ad }, ads: [ad], keywords: null })),
      )
  }
}

/** Performance Max has asset groups instead, which nothing here shows. */
const adGroups = (base: { customer: GoogleCustomer; today: number }, campaigns: Campaign[]) =>
  campaigns
    .filter(campaign => channelTypeOf(campaign) !== 'PERFORMANCE_MAX')
    .flatMap(campaign =>
      campaign.ad_sets
        .filter(adSet => existsOn(adSet, base.today))
        .map(ad_set => ({ subject: { ...base, campaign, ad_set }, ads: ad_set.ads })),
    )

function customerOf(id: string): GoogleCustomer {
  const customer = GOOGLE_CUSTOMERS.find(each => each.id === id)
  if (!customer) throw new Error(`no customer ${id}`)
  return customer
}
