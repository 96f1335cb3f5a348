import type { AudienceKind, AudienceStatus, ShareState } from '#shared/audiences.ts'
import { channelIds } from '#shared/channels/ids.ts'
import { isId, listSearch, type ListSearch, type Raw } from '#web/client/search.ts'

// Every page loads this file, and would load all of shared/audiences.ts with it.
export const kinds = ['customer_file', 'website', 'lookalike', 'ga4'] as const satisfies AudienceKind[]
export const statuses = ['draft', 'ready', 'expired'] as const satisfies AudienceStatus[]
export const states =
  `queued creating uploading matching ready too_small failed stopped removing removed`.split(' ')
const isState = (value: unknown): value is ShareState => states.some(name => name === value)

export const drawerTabs = ['overview', 'shares', 'uploads', 'history'] as const
export type DrawerTab = (typeof drawerTabs)[number]

/** The URL parameters of the list of audiences. */
export interface AudiencesSearch extends ListSearch {
  advertiser?: number
  kind?: AudienceKind
  status?: AudienceStatus
  share_state?: ShareState
  channel?: (typeof channelIds)[number]
  /** The open one, and what of it. */
  audience?: number
  tab?: DrawerTab
}

const read = listSearch(['name', 'advertiser', 'kind', 'rows', 'last_upload', 'last_modified_at'])

export function audiencesSearch(raw: Raw): AudiencesSearch {
  const kind = kinds.find(name => name === raw.kind)
  const status = statuses.find(name => name === raw.status)
  const channel = channelIds.find(name => name === raw.channel)
  const tab = drawerTabs.find(name => name === raw.tab)
  return {
    ...read(raw),
    ...(isId(raw.advertiser) && { advertiser: raw.advertiser }),
    ...(kind && { kind }),
    ...(status && { status }),
    ...(isState(raw.share_state) && { share_state: raw.share_state }),
    ...(channel && { channel }),
    ...(isId(raw.audience) && { audience: raw.audience, ...(tab && { tab }) }),
  }
}
