import { isId, listSearch, type ListSearch, type Raw } from '#web/client/search.ts'

/** The URL parameters of the list of advertisers. */
export interface AdvertisersSearch extends ListSearch {
  industry?: number
  agent?: number
  member?: number
  is_active?: boolean
  /** Only those without a fee agreement for this month. */
  no_agreement?: true
}

const readAdvertisers = listSearch(['name', 'last_modified_at'])

export const advertisersSearch = (raw: Raw): AdvertisersSearch => ({
  ...readAdvertisers(raw),
  ...(isId(raw.industry) && { industry: raw.industry }),
  ...(isId(raw.agent) && { agent: raw.agent }),
  ...(isId(raw.member) && { member: raw.member }),
  ...(typeof raw.is_active === 'boolean' && { is_active: raw.is_active }),
  ...(raw.no_agreement === true && { no_agreement: true }),
})

export const tabs = ['overview', 'data', 'members', 'accounts', 'fees', 'orders'] as const

/** The open tab of an advertiser; left out: the first. */
export interface AdvertiserSearch {
  tab?: (typeof tabs)[number]
}

export function advertiserSearch({ tab }: Raw): AdvertiserSearch {
  const known = tabs.find(name => name === tab)
  return known ? { tab: known } : {}
}

export const industriesSearch = listSearch(['name', 'name_zh', 'advertisers'])

/** The URL parameters of the list of agents. */
export interface AgentsSearch extends ListSearch {
  is_active?: boolean
  /** The one that is open beside the list. */
  agent?: number
}

const readAgents = listSearch(['name', 'commission_rate', 'advertisers', 'last_modified_at'])

export const agentsSearch = (raw: Raw): AgentsSearch => ({
  ...readAgents(raw),
  ...(typeof raw.is_active === 'boolean' && { is_active: raw.is_active }),
  ...(isId(raw.agent) && { agent: raw.agent }),
})
